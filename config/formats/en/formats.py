"""How Django writes times where no template says it, as in the administration: by 24 hours."""

TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j M Y, H:i"
