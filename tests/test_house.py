"""Promises about the repository itself."""

from __future__ import annotations

import ast
import importlib
import io
import re
import shutil
import subprocess
import sys
import tokenize
import tomllib
from pathlib import Path

import pytest
import yaml

import rules

ROOT = Path(__file__).resolve().parent.parent
LOCKS = sorted(ROOT.glob("requirements*.txt"))


def tracked() -> list[Path]:
    """The files under version control (an unpacked archive has no such list)."""
    if not (ROOT / ".git").exists():
        pytest.skip("This tree is not a git checkout.")
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    return [path for name in names if name and (path := ROOT / name).is_file()]


def texts() -> list[tuple[Path, str]]:
    rows = []
    for path in tracked():
        try:
            rows.append((path.relative_to(ROOT), path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    return rows


# --- Lock files ---
def test_there_are_lock_files() -> None:
    assert [path.name for path in LOCKS] == [
        "requirements-dev.txt",
        "requirements-research.txt",
        "requirements-uv.txt",
        "requirements.txt",
    ]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_a_lock_file_names_no_host_and_no_path(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"(^|\s)(/|\.\.?/|-i |--index|--find)", text, re.M)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_every_locked_package_has_hashes(lock: Path) -> None:
    entries = re.split(r"\n(?=\S)", lock.read_text(encoding="utf-8").strip())
    assert entries
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


def pins(lock: str) -> dict[str, str]:
    text = (ROOT / lock).read_text(encoding="utf-8")
    return dict(re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", text, re.M))


def test_both_locks_agree() -> None:
    development = pins("requirements-dev.txt")
    assert {name: development.get(name) for name in pins("requirements.txt")} == pins(
        "requirements.txt"
    )


def test_every_declared_dependency_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dependencies"] == [], "the rules need the standard library alone"
    extras = project["optional-dependencies"]
    for extra, lock in (
        ("site", "requirements.txt"),
        ("dev", "requirements-dev.txt"),
        ("research", "requirements-research.txt"),
    ):
        names = [re.split(r"[\[<>=; ]", line)[0] for line in extras[extra]]
        assert set(names) <= set(pins(lock))


# --- What must not be in the repository ---
def test_no_file_names_a_place_on_somebodys_machine() -> None:
    home = re.compile(r"(?<![\w./-])/(?:home/\w+|root|Users/\w+|work)/[\w.]")
    guilty = [
        f"{path}: {match.group()}"
        for path, text in texts()
        if path != Path("tests/test_house.py")
        for match in home.finditer(text)
    ]
    assert guilty == []


def test_nothing_that_can_be_made_again_is_kept() -> None:
    kept = [path.relative_to(ROOT).as_posix() for path in tracked()]
    pattern = re.compile(
        r"(^|/)(var|node_modules|__pycache__|\.venv|staticfiles)/|\.pyc$|\.sqlite3$"
    )
    assert [name for name in kept if pattern.search(name)] == []


@pytest.mark.parametrize("name", ["utils", "helpers", "manager", "managers", "common", "misc"])
def test_no_module_has_a_name_that_says_nothing(name: str) -> None:
    assert [path for path in tracked() if path.suffix == ".py" and path.stem == name] == []


def test_templates_have_no_inline_script_or_style() -> None:
    inline = re.compile(
        r"<style[\s>]|\sstyle=|\son[a-z]+=[\"']|<script(?![^>]*\b(src=|application/(ld\+)?json))",
        re.I,
    )
    guilty = [
        f"{path}: {match.group()}"
        for path, text in texts()
        if "templates" in path.parts and path.suffix == ".html"
        for match in inline.finditer(text)
    ]
    assert guilty == []


# --- After the commit ---
AFTER_COMMIT = Path("core/background.py")
"""The one place that does something after a commit, or sends a task. Tests may do as they like."""


def pages() -> list[tuple[Path, str]]:
    return [(path, text) for path, text in texts() if path.suffix == ".html"]


def test_every_form_that_posts_has_its_token() -> None:
    """But the one that a mail program sends, for somebody who is not logged in (RFC 8058)."""
    without = {
        path.name
        for path, text in pages()
        for form in re.findall(r"<form\b.*?</form>", text, flags=re.DOTALL)
        if 'method="post"' in form.partition(">")[0] and "{% csrf_token %}" not in form
    }
    assert without == {"unsubscribe.html"}


def test_no_page_shows_anything_unescaped() -> None:
    """Texts of mails do; what a tag has drawn says so itself."""
    rows = [path for path, text in pages() if re.search(r"autoescape off|\|\s*safe\b", text)]
    assert not rows


@pytest.mark.parametrize(
    ("call", "instead"),
    [
        ("on_commit", "core.background.after_commit"),
        ("apply_async", "core.background.enqueue"),
    ],
)
def test_what_follows_a_commit_cannot_turn_it_into_an_error(call: str, instead: str) -> None:
    """Django's own on_commit lets errors through, or trips over a function without a name."""
    guilty = [
        f"{path}:{node.lineno}: use {instead}"
        for path, text in texts()
        if path.suffix == ".py" and path.parts[0] not in {"tests", "bench"} and path != AFTER_COMMIT
        if call in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr == call
    ]
    assert guilty == []


# --- Browser tests wait ---
AT_ONCE = {
    *("all_inner_texts", "all_text_contents", "count", "get_attribute", "inner_text"),
    *("input_value", "is_checked", "is_disabled", "is_enabled", "is_hidden", "is_visible"),
    *("text_content", "title"),
}
"""What Playwright reads from a page as it happens to be at that moment."""


def test_browser_tests_expect_and_do_not_assert() -> None:
    """``assert locator.is_visible()`` fails on a busy machine; ``expect(locator)`` waits."""
    guilty = [
        f"{path}:{read.lineno}: {ast.unparse(read)}"
        for path, text in texts()
        if path.suffix == ".py" and "mark.browser" in text and path.name != "test_house.py"
        for check in ast.walk(ast.parse(text))
        if isinstance(check, ast.Assert)
        for read in ast.walk(check)
        if isinstance(read, ast.Call) and isinstance(read.func, ast.Attribute)
        if read.func.attr in AT_ONCE and "objects" not in ast.unparse(read)
    ]
    assert guilty == []


# --- The rules stand alone ---
def test_the_rules_import_without_any_package() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "import rules; rules.games(); print(*sys.modules)"
    )
    # -I and -S: no site-packages, no environment, no current folder.
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    foreign = {name.partition(".")[0] for name in done.stdout.split()} - {
        "rules",
        "games",
        "__main__",
    }
    assert {name for name in foreign if not name.startswith("_")} <= sys.stdlib_module_names


def test_no_module_of_the_rules_imports_a_package_even_late() -> None:
    guilty = []
    site = {"face", "site"}  # of a game, what the site shows of it
    games = [
        path
        for path in (ROOT / "games").rglob("*.py")
        if site.isdisjoint(path.relative_to(ROOT).parts)
    ]
    extra = {
        "rules/research/pettingzoo.py",  # the extra “research”, which nothing else imports
        "rules/research/openspiel.py",
        "rules/engine/compiled.py",  # for the type checker alone
    }
    for path in [*(ROOT / "rules").rglob("*.py"), *games]:
        if path.relative_to(ROOT).as_posix() in extra:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            for name in names:
                if name.partition(".")[0] not in sys.stdlib_module_names | {"rules", "games"}:
                    guilty.append(f"{path.relative_to(ROOT)}: {name}")
    assert guilty == []


def test_the_import_contracts_hold() -> None:
    command = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


# --- The bootstrap ---
def test_the_bootstrap_can_be_read_by_an_old_python() -> None:
    source = (ROOT / "run.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 6))
    imported = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize("verb", ["run", "test", "check", "bench", "lab", "browser", "clean"])
def test_make_help_lists_the_verb(verb: str) -> None:
    if not shutil.which("make"):
        pytest.skip("Needs make.")
    listed = subprocess.run(
        ["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert re.search(rf"^  make {verb} +\S", listed, re.M)


# --- Rule IDs ---
SHORT_ID = re.compile(r"(?<![\w-])[A-Z]-\d\d\b")
CITES_RULES = ("games/", "rules/", "matches/", "tests/games/", "tests/rules/", "tests/matches/")


def short_rule_ids(source: str) -> list[str]:
    """IDs without their game's prefix, in comments and in strings that are no outlines."""
    rows = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING):
            rows += [f"{token.start[0]}: {item}" for item in SHORT_ID.findall(token.string)]
    return rows


def test_short_rule_ids_are_found() -> None:
    """Built here, as a whole one would do no harm and a short one is refused."""
    short = "-".join(("M", "16"))
    assert short_rule_ids(f'"""As {short} says."""\n# ({short})\nx = "{short}"\n') == [
        f"{line}: {short}" for line in (1, 2, 3)
    ]
    assert short_rule_ids(f"# ABC-{short} to ABC-{short}\n") == []


def test_rule_ids_are_written_whole() -> None:
    """One search for an ID finds rulebook, code and test."""
    rows = [
        f"{path}:{short}"
        for path, text in texts()
        if path.suffix == ".py"
        and path.as_posix().startswith(CITES_RULES)
        and "face" not in path.parts  # outlines: M-16 is where one begins
        for short in short_rule_ids(text)
    ]
    assert rows == []


# --- A game is one folder ---
OWN_ROOMS = ("games/", "tests/games/")
MAY_NAME_GAMES = (
    "matches/management/commands/demo_data.py",
    "matches/models/preset_dictionary.txt",  # bytes that zlib refers to: no game needs to be in it
    "LICENSE",
)


def own_names() -> re.Pattern[str]:
    """What only one game is called: slug, name, package, class, rule IDs, cards and events."""
    names: set[str] = set()
    events: set[str] = set()
    for game in rules.games().values():
        folder = game.package.rpartition(".")[2]
        names |= {game.slug, game.name, folder, folder.upper(), type(game.text).__name__}
        readme = (ROOT / "games" / folder / "README.md").read_text(encoding="utf-8")
        prefixes = {f"{item}-" for item in re.findall(r"- \*\*([A-Z]+)-[A-Z]+-\d+\*\*", readme)}
        names |= prefixes
        cards = {prefix.lower() for prefix in prefixes}
        names |= {card for card in cards if any(slug.startswith(card) for slug in game.catalog)}
        events |= {kind for kind in game.events if "_" in kind}
    names -= {"TableText"}
    events -= {"match_started", "match_ended", "turn_started", "turn_ended"}
    called, happens = ("|".join(map(re.escape, sorted(item))) for item in (names, events))
    return re.compile(rf"(?<![A-Za-z])(?:{called})|\b(?:{happens})")


def files_that_name_a_game() -> list[str]:
    pattern = own_names()
    rows = []
    for path, text in texts():
        name = path.as_posix()
        if name.startswith(OWN_ROOMS) or path.suffix == ".md" or name in MAY_NAME_GAMES:
            continue
        if pattern.search(text) or pattern.search(name):
            rows.append(name)
    return rows


def test_nothing_outside_names_a_game() -> None:
    """A sixth game is a folder or an installed package: no other file may know it.

    A test of every game asks the registry, a test of one game stands in ``tests/games/<game>``,
    and a test that needs some game takes it from ``tests/games/examples.py``.
    """
    assert files_that_name_a_game() == []


# --- Notices ---
def test_every_kind_of_notice_that_has_a_setting_is_owed_by_something() -> None:
    """And what is owed has a setting: ``TOLD_KINDS`` in ``notices/kinds.py``."""
    from notices.kinds import TOLD_KINDS

    owed = {"YOUR_TURN", "TIME_IS_RUNNING_OUT"}  # by ``tell_turns`` and by the reminders
    for path, text in texts():
        if path.suffix != ".py" or path.parts[0] == "tests" or "notify(" not in text:
            continue
        for call in ast.walk(ast.parse(text)):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "notify":
                kind = ast.unparse(call.args[1]).rpartition(".")[2]
                owed |= {kind} if kind.isupper() else set()
    assert owed == {kind.name for kind in TOLD_KINDS}


# --- The developer's day ---
def test_hooks_between_apps_exist() -> None:
    """ARCHITECTURE.md names each by module and function, and who uses it by file."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text.partition("## Hooks between apps")[2].partition("\n## ")[0]
    rows = [row.split("|") for row in table.splitlines() if row.startswith("| ")][2:]
    assert len(rows) == 8
    for _, _, where, users, _ in rows:
        names = re.findall(r"`(\w+(?:\.\w+)+)`", where)
        assert names
        for module, _, name in (dotted.rpartition(".") for dotted in names):
            assert hasattr(importlib.import_module(module), name), f"{module}.{name}"
        files = re.findall(r"`([\w/]+\.py)`", users)
        for file in files:
            assert list(ROOT.glob(f"*/{file}")) or (ROOT / file).is_file(), file


def test_what_looks_at_a_commit_comes_from_the_lock_file() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    locked = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8")
    (source,) = hooks["repos"]
    assert source["repo"] == "local", "nothing is fetched"
    programs = {re.match(r"\.venv/bin/(\S+)", hook["entry"]) for hook in source["hooks"]}
    names = {program[1] for program in programs if program}
    assert names == {"ruff", "mypy", "djlint"} and None not in programs
    assert all(re.search(rf"^{name}==", locked, re.M) for name in names)
    for hook in source["hooks"]:
        wanted = re.compile(hook.get("files", ""))
        assert any(wanted.search(str(path.relative_to(ROOT))) for path in tracked()), hook["id"]


def test_hosted_ci_calls_ours_and_does_nothing_else() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))["jobs"]
    (job,) = jobs.values()
    assert job["steps"][-1] == {"run": "bash .ci/run"} and (ROOT / ".ci/run").is_file()
    assert not any("pytest" in step.get("run", "") for step in job["steps"])


def test_the_first_screen_of_contributing_is_enough() -> None:
    """Its commands are there: the verbs in the Makefile, the rest in the environment."""
    screen = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()[:40]
    text = "\n".join(screen)
    commands = text.partition("```sh\n")[2].partition("```")[0].splitlines()
    assert len(commands) == 4
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for verb in re.findall(r"^make (\w+)", "\n".join(commands), re.M):
        assert re.search(rf"^{verb}:.*## ", makefile, re.M), verb
    assert "ARCHITECTURE.md" in text and "| you want to change |" in text


# --- Paths in the documentation ---
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]+)+)/?`")


def missing_paths(text: str, known: set[str]) -> list[str]:
    """Paths in backquotes, from the top folder on, that are not in the repository."""
    top = {path.partition("/")[0] for path in known}
    return [
        path
        for path in PATH.findall(text)
        if path.partition("/")[0] in top
        and path not in known
        and not any(name.startswith("templates/") and name[10:] == path for name in known)
    ]


def test_paths_in_the_documentation_exist() -> None:
    files = [path.relative_to(ROOT) for path in tracked()]
    known = {name.as_posix() for path in files for name in (path, *path.parents)}
    assert missing_paths("`core/db.py`, `core/`, `core/gone.py`", known) == ["core/gone.py"]
    pages = [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    missing = [
        f"{page.relative_to(ROOT)}: {path}"
        for page in pages
        for path in missing_paths(page.read_text(encoding="utf-8"), known)
    ]
    assert missing == [], "\n".join(missing)


def test_files_that_a_games_readme_names_exist() -> None:
    files = [f"/{path.relative_to(ROOT).as_posix()}" for path in tracked()]
    missing = [
        f"{page.relative_to(ROOT)}: {name}"
        for page in (ROOT / "games").glob("*/README.md")
        for name in re.findall(r"`([\w/]+\.(?:py|toml))`", page.read_text(encoding="utf-8"))
        if not any(
            file.startswith(f"/games/{page.parent.name}/") and file.endswith(f"/{name}")
            for file in files
        )
    ]
    assert missing == [], "\n".join(missing)


def test_decisions_that_the_architecture_cites_exist() -> None:
    cited = re.findall(r"decision (\d+)", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    assert cited
    assert [n for n in cited if not list((ROOT / "docs/decisions").glob(f"{n:0>4}-*.md"))] == []
