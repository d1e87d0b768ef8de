"""The options of the commands; those that `copier copy` has too keep its names."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

Destination = Annotated[Path, Argument(help="Folder of the new service.")]
Template = Annotated[
    str, Option(help="Folder or git address of the template; by default the one of this install.")
]
Data = Annotated[
    list[str] | None,
    Option("--data", "-d", metavar="NAME=VALUE", help="Answer to a question; repeatable."),
]
DataFile = Annotated[
    Path | None,
    Option(exists=True, dir_okay=False, help="YAML file of answers; --data goes before it."),
]
AnswersFile = Annotated[
    str | None, Option("--answers-file", "-a", help="Answers file, below the folder.")
]
Exclude = Annotated[
    list[str] | None,
    Option("--exclude", "-x", metavar="PATTERN", help="Leave out matching files; repeatable."),
]
VcsRef = Annotated[
    str | None,
    Option("--vcs-ref", "-r", help="Tag, branch or commit of the template; default: last tag."),
]
Pretend = Annotated[bool, Option("--pretend", "-n", help="Change nothing on disk.")]
Skip = Annotated[
    list[str] | None,
    Option("--skip", "-s", metavar="PATTERN", help="Keep matching files that exist; repeatable."),
]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Print nothing but errors.")]
Prereleases = Annotated[
    bool, Option("--prereleases", "-g", help="Count prereleases when looking for the last tag.")
]
Trust = Annotated[
    bool, Option("--trust", "--UNSAFE", help="Let another template run code; ours has none.")
]
SkipTasks = Annotated[
    bool, Option("--skip-tasks", "-T", help="Don't run the tasks of another template.")
]
NoCleanup = Annotated[
    bool, Option("--no-cleanup", "-C", help="On an error, keep a folder that was begun.")
]
Defaults = Annotated[
    bool, Option("--defaults", "-l", help="Ask nothing; take the default where none is given.")
]
Force = Annotated[bool, Option("--force", "-f", help="Same as --defaults --overwrite.")]
Overwrite = Annotated[bool, Option("--overwrite", "-w", help="Overwrite files without asking.")]
Ask = Annotated[
    list[str] | None,
    Option(metavar="PATTERN", help="Ask matching questions in any case; repeatable."),
]
Verify = Annotated[
    bool, Option("--verify", help="Install the new service and run its checks; status 3 if not.")
]
Version = Annotated[bool, Option("--version", is_eager=True, help="Print the version and leave.")]
Json = Annotated[bool, Option("--json", help="Print one JSON document.")]
GithubMatrix = Annotated[bool, Option("--github", help="Print a matrix for GitHub Actions.")]
ServicePath = Annotated[
    Path | None, Argument(exists=True, file_okay=False, help="Folder of a service, as it is.")
]
EveryVariant = Annotated[bool, Option("--all", help="Render every variant.")]
Only = Annotated[
    list[str] | None,
    Option(metavar="NAME", help="Render this variant, as `ragseam variants` names it; repeatable."),
]
Jobs = Annotated[int, Option("--jobs", "-j", min=1, help="Services and stages at once.")]
JsonFile = Annotated[
    Path | None, Option("--json", dir_okay=False, help="Write the results here as JSON.")
]
JunitFile = Annotated[
    Path | None, Option("--junit", dir_okay=False, help="Write the results here as JUnit XML.")
]
HtmlFile = Annotated[
    Path | None, Option("--html", dir_okay=False, help="Write the results here as a web page.")
]
Keep = Annotated[
    Path | None,
    Option(file_okay=False, help="Render below this folder and keep it; default: a temporary one."),
]
