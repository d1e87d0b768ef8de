"""Brings a service to a later version of its template without losing anything of it.

Copier renders both versions in throw-away repositories, git merges file by file, and a journal
makes of all that is written one change. The service is only read until then.
"""
