"""The rules of Colossal Kaiju Combat: a module for each chapter."""
