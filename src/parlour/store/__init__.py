"""The only SQL: records, people, hats and ratings."""
