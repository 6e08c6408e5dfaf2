"""The catalog, who owns what and how it came about, packs, trades, lists and prints."""

import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import collection.models.packs
import collection.models.slugs


class Migration(migrations.Migration):
    initial = True

    # What databases of before have applied.
    replaces = [
        ("collection", "0001_catalog"),
        ("collection", "0002_holdings"),
        ("collection", "0003_fast_gallery"),
        ("collection", "0004_packs_due"),
        ("collection", "0005_import_outcomes"),
        ("collection", "0006_holding_at_a_glance"),
        ("collection", "0007_tallies"),
        ("collection", "0008_ledger_entries"),
        ("collection", "0009_client_seed"),
    ]

    dependencies = [
        ("accounts", "__first__"),
    ]

    operations = [
        migrations.CreateModel(
            name="Card",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=80)),
                ("name", models.CharField(help_text="What is printed on the card.", max_length=80)),
                (
                    "title",
                    models.CharField(
                        help_text="What lists and messages say, where the name alone is not enough.",
                        max_length=80,
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("colour", models.CharField(blank=True, max_length=40)),
                ("rarity", models.CharField(max_length=20)),
                ("rarity_rank", models.PositiveSmallIntegerField(default=0)),
                ("text", models.TextField(blank=True)),
                ("attributes", models.JSONField(blank=True, default=dict)),
                (
                    "sort_number",
                    models.PositiveIntegerField(
                        help_text="The card's place in its game's catalog, from 1."
                    ),
                ),
                ("retired", models.BooleanField(default=False)),
                (
                    "content_hash",
                    models.CharField(
                        help_text="Of all that is printed on the card; differs when a word differs.",
                        max_length=64,
                    ),
                ),
                ("place", models.PositiveIntegerField(default=0, help_text="By game and number.")),
                ("name_place", models.PositiveIntegerField(default=0, help_text="By title.")),
                ("rarity_place", models.PositiveIntegerField(default=0, help_text="Rarest first.")),
                (
                    "words",
                    models.TextField(
                        blank=True,
                        default="",
                        help_text="Title, slug and text as they are searched.",
                    ),
                ),
            ],
            options={
                "ordering": ["game__sort_number", "sort_number", "slug"],
            },
        ),
        migrations.CreateModel(
            name="CardSet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField()),
                ("name", models.CharField(max_length=80)),
                (
                    "number",
                    models.PositiveIntegerField(help_text="The order of a game's sets, from 1."),
                ),
                ("retired", models.BooleanField(default=False)),
                (
                    "card_count",
                    models.PositiveIntegerField(
                        default=0, help_text="How many cards appear in it."
                    ),
                ),
            ],
            options={
                "ordering": ["game__sort_number", "number", "slug"],
            },
        ),
        migrations.CreateModel(
            name="CatalogWord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("word", models.CharField(max_length=40, unique=True)),
                ("card_count", models.PositiveIntegerField(help_text="How many cards say it.")),
            ],
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(unique=True)),
                ("name", models.CharField(max_length=80)),
                ("summary", models.TextField(blank=True)),
                ("sort_number", models.PositiveIntegerField(default=0)),
                (
                    "retired",
                    models.BooleanField(
                        default=False, help_text="No longer among the rules' games."
                    ),
                ),
            ],
            options={
                "ordering": ["sort_number", "slug"],
            },
        ),
        migrations.CreateModel(
            name="PacksDue",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "match",
                    models.CharField(
                        help_text="The match's public id.", max_length=20, unique=True
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                ("people", models.JSONField(help_text="Keys of those who have earned a pack.")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "verbose_name_plural": "packs due",
                "ordering": ["at"],
            },
        ),
        migrations.CreateModel(
            name="CardInSet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "number",
                    models.PositiveIntegerField(
                        help_text="The card's number in the set, from 1; none once it is retired.",
                        null=True,
                    ),
                ),
                (
                    "position",
                    models.PositiveSmallIntegerField(help_text="0 for the card's first printing."),
                ),
                (
                    "card",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="printings",
                        to="collection.card",
                    ),
                ),
                (
                    "card_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="printings",
                        to="collection.cardset",
                    ),
                ),
            ],
            options={
                "ordering": ["card_set", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("card", "card_set"), name="card_once_a_set"),
                    models.UniqueConstraint(
                        fields=("card_set", "number"), name="card_number_once_a_set"
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="card",
            name="sets",
            field=models.ManyToManyField(
                related_name="cards", through="collection.CardInSet", to="collection.cardset"
            ),
        ),
        migrations.CreateModel(
            name="Collection",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("private", "Only you"),
                            ("friends", "Your friends"),
                            ("public", "Everybody"),
                        ],
                        default="private",
                        max_length=8,
                    ),
                ),
                (
                    "owner",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="collection",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("visibility__in", ["private", "friends", "public"])),
                        name="collection_known_visibility",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Facet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("colour", models.CharField(blank=True, max_length=40)),
                ("rarity", models.CharField(max_length=20)),
                ("rarity_rank", models.PositiveSmallIntegerField(default=0)),
                ("card_count", models.PositiveIntegerField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="facets",
                        to="collection.game",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "kind", "colour", "rarity"), name="facet_once"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="cardset",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="sets",
                to="collection.game",
            ),
        ),
        migrations.AddField(
            model_name="card",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="cards",
                to="collection.game",
            ),
        ),
        migrations.CreateModel(
            name="Holding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "dealt",
                    models.PositiveIntegerField(default=0, help_text="Copies dealt on this site."),
                ),
                (
                    "recorded",
                    models.PositiveIntegerField(
                        default=0, help_text="Copies the owner has on paper."
                    ),
                ),
                (
                    "quantity",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.db.models.expressions.CombinedExpression(
                            models.F("dealt"), "+", models.F("recorded")
                        ),
                        output_field=models.PositiveIntegerField(),
                    ),
                ),
                (
                    "spare",
                    models.PositiveIntegerField(
                        default=0, help_text="Copies that may go, of all of them."
                    ),
                ),
                (
                    "wanted",
                    models.PositiveIntegerField(
                        default=0, help_text="The number of copies the owner wants to have in all."
                    ),
                ),
                (
                    "tags",
                    models.CharField(
                        blank=True, help_text="Words with commas between.", max_length=200
                    ),
                ),
                ("notes", models.TextField(blank=True, max_length=2000)),
                (
                    "extra",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="Columns of an imported list that mean nothing here; given back on export.",
                    ),
                ),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "card",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="holdings",
                        to="collection.card",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="holdings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=[
                            "owner",
                            "card",
                            "quantity",
                            "dealt",
                            "wanted",
                            "spare",
                            "updated_at",
                        ],
                        name="holding_at_a_glance",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "card"), name="holding_once_a_card"),
                    models.CheckConstraint(
                        condition=models.Q(("dealt__gte", 0)), name="holding_dealt_not_negative"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("recorded__gte", 0)),
                        name="holding_recorded_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "spare__lte",
                                django.db.models.expressions.CombinedExpression(
                                    models.F("dealt"), "+", models.F("recorded")
                                ),
                            )
                        ),
                        name="holding_spare_is_owned",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportJob",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "slug",
                    models.CharField(
                        default=collection.models.slugs.new_slug,
                        editable=False,
                        max_length=12,
                        unique=True,
                    ),
                ),
                ("filename", models.CharField(blank=True, max_length=200)),
                ("upload", models.BinaryField(help_text="Gone once it is over.", null=True)),
                (
                    "game",
                    models.CharField(
                        blank=True,
                        help_text="Whose cards names mean where a line does not say.",
                        max_length=40,
                    ),
                ),
                (
                    "dialect",
                    models.CharField(blank=True, help_text="Whose columns it has.", max_length=20),
                ),
                ("encoding", models.CharField(blank=True, max_length=20)),
                (
                    "replaces",
                    models.BooleanField(
                        default=False,
                        help_text="The list says what there is in all, not what is to be added.",
                    ),
                ),
                (
                    "skips_bad",
                    models.BooleanField(
                        default=False,
                        help_text="Lines that cannot be read are left out instead of stopping all.",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting for a worker"),
                            ("working", "Under way"),
                            ("ready", "Ready for your word"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("total", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                ("problem", models.TextField(blank=True)),
                ("summary", models.JSONField(default=dict, editable=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "touched_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, help_text="The last sign of a worker."
                    ),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imports",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="ImportLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "number",
                    models.PositiveIntegerField(help_text="Where it begins in the file, from 1."),
                ),
                ("text", models.CharField(max_length=500)),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("new", "New card"),
                            ("changed", "Changed"),
                            ("same", "Nothing to do"),
                            ("unknown", "Unknown card"),
                            ("bad", "Cannot be read"),
                            ("skipped", "Left out"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "problem",
                    models.CharField(
                        blank=True, help_text="What is wrong, or worth knowing.", max_length=300
                    ),
                ),
                (
                    "suggestions",
                    models.JSONField(default=list, help_text="Slugs and titles of nearest cards."),
                ),
                ("quantity", models.PositiveIntegerField(null=True)),
                ("spare", models.PositiveIntegerField(null=True)),
                ("wanted", models.PositiveIntegerField(null=True)),
                ("tags", models.CharField(blank=True, max_length=200)),
                ("notes", models.TextField(blank=True, max_length=2000)),
                (
                    "dealt",
                    models.BooleanField(
                        default=False,
                        help_text="It says that the site dealt these copies, so it brings none.",
                    ),
                ),
                ("extra", models.JSONField(default=dict)),
                (
                    "outcome",
                    models.JSONField(
                        help_text="Once applied, at a card's first line: the holding before and after.",
                        null=True,
                    ),
                ),
                (
                    "card",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="collection.card",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lines",
                        to="collection.importjob",
                    ),
                ),
            ],
            options={
                "ordering": ["job", "number"],
                "indexes": [
                    models.Index(
                        fields=["job", "verdict", "number"], name="import_line_by_verdict"
                    ),
                    models.Index(fields=["job", "card"], name="import_line_by_card"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("job", "number"), name="import_line_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Pack",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "slug",
                    models.CharField(
                        default=collection.models.slugs.new_slug,
                        editable=False,
                        max_length=12,
                        unique=True,
                    ),
                ),
                ("game", models.CharField(max_length=40)),
                ("product", models.CharField(max_length=60)),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("gift", "Daily gift"),
                            ("match", "A finished match"),
                            ("grant", "Given by the house"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        help_text="What it was earned for: once a person and key (gift:2026-11-21).",
                        max_length=120,
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=200)),
                (
                    "contents",
                    models.JSONField(
                        editable=False,
                        help_text="The product's slots, sheets and weights as promised.",
                    ),
                ),
                ("server_seed", models.BinaryField(default=collection.models.packs.new_seed)),
                ("commitment", models.CharField(editable=False, max_length=64)),
                (
                    "client_seed",
                    models.CharField(
                        blank=True,
                        db_column="share",
                        help_text="What its owner added to the seed on opening.",
                        max_length=64,
                    ),
                ),
                (
                    "cards",
                    models.JSONField(
                        editable=False, help_text="Card slugs as drawn, by slot.", null=True
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("opened_at", models.DateTimeField(blank=True, null=True)),
                (
                    "granted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="packs_granted",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="packs",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("opened_at__isnull", True)),
                        fields=["owner", "created_at"],
                        name="pack_sealed",
                    ),
                    models.Index(fields=["owner", "-opened_at"], name="pack_by_opening"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "key"), name="pack_once_a_key"),
                    models.UniqueConstraint(
                        condition=models.Q(("source", "match")),
                        fields=("owner", "note"),
                        name="pack_once_a_match",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("cards__isnull", True),
                                ("client_seed", ""),
                                ("opened_at__isnull", True),
                            ),
                            models.Q(("cards__isnull", False), ("opened_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="pack_opened_means_cards",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PrintJob",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting for a worker"),
                            ("working", "Under way"),
                            ("ready", "Ready for your word"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("problem", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "touched_at",
                    models.DateTimeField(
                        default=django.utils.timezone.now, help_text="The last sign of a worker."
                    ),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "slug",
                    models.CharField(
                        default=collection.models.slugs.new_slug,
                        editable=False,
                        max_length=12,
                        unique=True,
                    ),
                ),
                ("title", models.CharField(max_length=120)),
                ("cards", models.JSONField(help_text="Game slug, card slug and copies, in order.")),
                (
                    "paper",
                    models.CharField(
                        choices=[("a4", "A4"), ("letter", "Letter")], default="a4", max_length=8
                    ),
                ),
                (
                    "backs",
                    models.CharField(
                        choices=[
                            ("none", "No backs"),
                            ("long", "Backs, turned over the long edge"),
                            ("short", "Backs, turned over the short edge"),
                        ],
                        default="none",
                        max_length=8,
                    ),
                ),
                ("marks", models.BooleanField(default=True, help_text="Cut marks in the margins.")),
                (
                    "gap",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="Millimetres between cards."
                    ),
                ),
                (
                    "total",
                    models.PositiveIntegerField(
                        default=0, help_text="Sheets of paper, both sides counted."
                    ),
                ),
                ("file", models.FileField(blank=True, upload_to="prints/")),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="prints",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
                "indexes": [
                    models.Index(fields=["owner", "-created_at"], name="print_by_owner"),
                    models.Index(fields=["state", "touched_at"], name="print_by_state"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Tally",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "rarity",
                    models.CharField(blank=True, help_text="Empty for a set.", max_length=20),
                ),
                ("retired", models.BooleanField(default=False)),
                ("cards", models.IntegerField(help_text="Different cards.")),
                ("copies", models.IntegerField(help_text="All copies.")),
                ("dealt", models.IntegerField(help_text="Copies dealt here.")),
                (
                    "card_set",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="collection.cardset",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="collection.game",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tallies",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "tallies",
                "indexes": [
                    models.Index(
                        fields=[
                            "owner",
                            "game",
                            "rarity",
                            "retired",
                            "card_set",
                            "cards",
                            "copies",
                            "dealt",
                        ],
                        name="tally_at_a_glance",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Trade",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "slug",
                    models.CharField(
                        default=collection.models.slugs.new_slug,
                        editable=False,
                        max_length=12,
                        unique=True,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Waiting for an answer"),
                            ("accepted", "Accepted"),
                            ("declined", "Declined"),
                            ("cancelled", "Taken back"),
                            ("countered", "Answered with another offer"),
                            ("expired", "Expired"),
                        ],
                        default="open",
                        max_length=10,
                    ),
                ),
                ("message", models.CharField(blank=True, max_length=280)),
                (
                    "token",
                    models.CharField(
                        help_text="The form it came from: sent twice, it is one offer.",
                        max_length=40,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                (
                    "answer_to",
                    models.OneToOneField(
                        blank=True,
                        help_text="The offer that this one answers.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="counter",
                        to="collection.trade",
                    ),
                ),
                (
                    "partner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="trades_received",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "proposer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="trades_proposed",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-pk"],
                "indexes": [
                    models.Index(fields=["partner", "state", "-created_at"], name="trade_received"),
                    models.Index(
                        fields=["proposer", "state", "-created_at"], name="trade_proposed"
                    ),
                    models.Index(
                        condition=models.Q(("state", "open")),
                        fields=["expires_at"],
                        name="trade_by_expiry",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("proposer", "token"), name="trade_once_a_form"),
                    models.CheckConstraint(
                        condition=models.Q(("proposer", models.F("partner")), _negated=True),
                        name="trade_between_two_people",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("settled_at__isnull", True), ("state", "open")),
                            models.Q(
                                models.Q(("state", "open"), _negated=True),
                                ("settled_at__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="trade_settled_has_a_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TradeItem",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("from_proposer", models.BooleanField()),
                ("count", models.PositiveIntegerField()),
                (
                    "card",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="collection.card",
                    ),
                ),
                (
                    "trade",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="collection.trade",
                    ),
                ),
            ],
            options={
                "ordering": ["trade", "-from_proposer", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("trade", "from_proposer", "card"), name="trade_item_once_a_side"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("count__gt", 0)), name="trade_item_is_something"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Transfer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=120, unique=True)),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("starter", "Starter deck"),
                            ("pack", "Pack opened"),
                            ("grant", "Given by the house"),
                            ("trade", "Trade"),
                            ("ante", "Won or lost in a match"),
                            ("hand", "Counted by hand"),
                            ("import", "Imported list"),
                            ("undo", "Import taken back"),
                            ("merge", "Brought along as a guest"),
                        ],
                        max_length=10,
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=200)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        help_text="Who did it; nobody where the site did.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="transfers_made",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="LedgerRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("dealt", "Dealt here"), ("recorded", "Recorded by its owner")],
                        max_length=8,
                    ),
                ),
                ("count", models.PositiveIntegerField()),
                (
                    "card",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ledger_rows",
                        to="collection.card",
                    ),
                ),
                (
                    "giver",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="ledger_given",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "taker",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="ledger_taken",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "transfer",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rows",
                        to="collection.transfer",
                    ),
                ),
            ],
            options={
                "ordering": ["transfer", "pk"],
                "indexes": [
                    models.Index(fields=["giver", "card"], name="ledger_by_giver"),
                    models.Index(fields=["taker", "card"], name="ledger_by_taker"),
                    models.Index(fields=["transfer", "card"], name="ledger_by_transfer"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("count__gt", 0)), name="ledger_row_moves_something"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("giver", models.F("taker")), _negated=True),
                        name="ledger_row_changes_hands",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LedgerEntry",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("lines", models.PositiveIntegerField(help_text="Rows of the ledger.")),
                ("came", models.PositiveIntegerField(help_text="Copies that the person got.")),
                ("went", models.PositiveIntegerField(help_text="Copies that the person gave.")),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ledger_entries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "transfer",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="collection.transfer",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "ledger entries",
                "constraints": [
                    models.UniqueConstraint(fields=("person", "transfer"), name="ledger_entry_once")
                ],
            },
        ),
        migrations.AddField(
            model_name="importjob",
            name="transfer",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="collection.transfer",
            ),
        ),
        migrations.AddField(
            model_name="importjob",
            name="undone",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="collection.transfer",
            ),
        ),
        migrations.AddConstraint(
            model_name="cardset",
            constraint=models.UniqueConstraint(
                fields=("game", "slug"), name="card_set_once_a_game"
            ),
        ),
        migrations.AddIndex(
            model_name="card",
            index=models.Index(
                condition=models.Q(("retired", False)), fields=["place"], name="card_by_place"
            ),
        ),
        migrations.AddIndex(
            model_name="card",
            index=models.Index(
                condition=models.Q(("retired", False)), fields=["name_place"], name="card_by_name"
            ),
        ),
        migrations.AddIndex(
            model_name="card",
            index=models.Index(
                condition=models.Q(("retired", False)),
                fields=["rarity_place"],
                name="card_by_rareness",
            ),
        ),
        migrations.AddIndex(
            model_name="card",
            index=models.Index(
                condition=models.Q(("retired", False)),
                fields=["game", "place"],
                name="card_by_game",
            ),
        ),
        migrations.AddIndex(
            model_name="card",
            index=models.Index(
                condition=models.Q(("retired", False)),
                fields=["game", "name_place"],
                name="card_by_game_name",
            ),
        ),
        migrations.AddIndex(
            model_name="card",
            index=models.Index(
                condition=models.Q(("retired", False)),
                fields=["game", "rarity_place"],
                name="card_by_game_rareness",
            ),
        ),
        migrations.AddIndex(
            model_name="card",
            index=models.Index(
                condition=models.Q(("retired", False)),
                fields=["kind", "place"],
                name="card_by_kind",
            ),
        ),
        migrations.AddIndex(
            model_name="card",
            index=models.Index(
                condition=models.Q(("retired", False)),
                fields=["colour", "place"],
                name="card_by_colour",
            ),
        ),
        migrations.AddIndex(
            model_name="card",
            index=models.Index(
                condition=models.Q(("retired", False)),
                fields=["rarity", "place"],
                name="card_by_rarity_word",
            ),
        ),
        migrations.AddIndex(
            model_name="card",
            index=models.Index(
                condition=models.Q(("retired", False)),
                fields=["game", "kind", "colour", "rarity", "place"],
                name="card_by_all",
            ),
        ),
        migrations.AddIndex(
            model_name="card",
            index=models.Index(
                condition=models.Q(("retired", False)),
                fields=["game", "name", "place"],
                name="card_by_printed_name",
            ),
        ),
        migrations.AddIndex(
            model_name="card",
            index=models.Index(
                fields=["id"],
                include=("game", "place", "name_place", "rarity_place", "retired"),
                name="card_by_key",
            ),
        ),
        migrations.AddConstraint(
            model_name="card",
            constraint=models.UniqueConstraint(fields=("game", "slug"), name="card_once_a_game"),
        ),
        migrations.AddConstraint(
            model_name="card",
            constraint=models.CheckConstraint(
                condition=models.Q(("name", ""), _negated=True), name="card_has_a_name"
            ),
        ),
        migrations.AddConstraint(
            model_name="card",
            constraint=models.CheckConstraint(
                condition=models.Q(("content_hash__regex", "^[0-9a-f]{64}$")),
                name="card_hash_is_sha256",
            ),
        ),
        migrations.AddIndex(
            model_name="importjob",
            index=models.Index(fields=["owner", "-created_at"], name="import_by_owner"),
        ),
        migrations.AddIndex(
            model_name="importjob",
            index=models.Index(fields=["state", "touched_at"], name="import_by_state"),
        ),
    ]
