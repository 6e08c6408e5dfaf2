"""The rules of KND: OCG, a module for each part of the rulebook.

``cards`` moves cards, ``setup`` is section 2.1, ``turn`` 2.3, ``attack`` 2.5, ``texts`` carries out
what cards say (2.6), ``ending`` is 2.8.
"""
