"""Prints the ids of each arm of a set of a fine-tuning store, read from its files alone: arms FOLDER SET."""

import hashlib
import json
import pathlib
import re
import sys


def files_of(folder):
    def place(path):
        found = re.fullmatch(r"(.+)-(\d{2,3})", path.stem)
        return (found.group(1), int(found.group(2))) if found else (path.stem, 1)

    return sorted(folder.glob("*.jsonl"), key=place)


def turns_of(row):
    said = [f"{one['role']} {' '.join(one['content'].split())}" for one in row["messages"]]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


def arms_of(folder, wanted):
    sets = json.loads((folder / "sets.json").read_text("utf-8"))
    arms, turns = {"train": [], "eval": []}, set()
    for path in files_of(folder):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            document = row.get("locator", {}).get("document", "")
            if row["grade"] != "confirmed" or row.get("verdict") == "denied" or not document.strip():
                continue
            if turns_of(row) in turns:
                continue
            turns.add(turns_of(row))
            digest = hashlib.sha256(f"{sets['seed']}|{document}".encode()).hexdigest()
            arm = "eval" if int(digest[:13], 16) / 16**13 < sets["evalShare"] else "train"
            if row["set"] == wanted:
                arms[arm].append(row["id"])
    return arms


print(json.dumps(arms_of(pathlib.Path(sys.argv[1]), sys.argv[2])))
