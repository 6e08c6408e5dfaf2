"""A question's number counts the questions to its seat: the seat belongs to the key."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_initial")]

    operations = [
        migrations.RemoveConstraint(model_name="moverow", name="move_once_a_prompt"),
        migrations.AddConstraint(
            model_name="moverow",
            constraint=models.UniqueConstraint(
                condition=models.Q(("prompt__isnull", False)),
                fields=("match", "seat", "prompt"),
                name="move_once_a_prompt",
            ),
        ),
    ]
