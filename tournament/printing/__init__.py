"""Printed sheets: which exist, what they show, and how they become PDF."""
