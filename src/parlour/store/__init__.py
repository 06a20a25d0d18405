"""The only SQL: tables, set-ups, talks, trainings and tournaments, kept with their versions."""
