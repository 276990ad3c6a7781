import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitIn, writeFiles } from '#test/support/repository.js'

/** Tracked files that a person has in hand while the daemon is killed. */
export const personsFiles = {
  'Wątki/rękopis.md': '# Rękopis\n\nPierwsze zdanie.\n',
  'Wątki/odłożone.md': '# Odłożone\n',
  'Wątki/oba.md': '# Oba\n',
}

const draft = 'szkice/notatka.md'
const planted = [draft, 'Wątki/nowe.md', ...Object.keys(personsFiles)]

/** A draft that git does not know, a hand edit, a staged change, a staged file, and a change on top of a staged one. */
export const plantWork = (repo: string): void => {
  writeFiles(repo, {
    [draft]: 'Szkic, którego nikt nie zapisał.\r\nBez końca wiersza',
    'Wątki/nowe.md': 'Nowy, tylko w indeksie.\n',
    'Wątki/odłożone.md': '# Odłożone\n\nZmiana odłożona do zatwierdzenia.\n',
    'Wątki/oba.md': '# Oba\n\nOdłożone.\n',
  })
  gitIn(repo, 'add', 'Wątki/odłożone.md', 'Wątki/oba.md', 'Wątki/nowe.md')
  writeFiles(repo, {
    'Wątki/oba.md': '# Oba\n\nOdłożone.\nI jeszcze nie.\n',
    'Wątki/rękopis.md': '# Rękopis\n\nPierwsze zdanie.\n\nDrugie, ręcznie, niezapisane.\n',
  })
}

/** What a person sees of the own work: bytes, index entries, and every path that git calls changed. */
export const workOf = (repo: string): string => {
  const sums = planted.map(path => {
    const bytes = readFileSync(join(repo, path))
    return `${createHash('sha256').update(bytes).digest('hex')} ${path}`
  })
  const staged = gitIn(repo, '-c', 'core.quotePath=false', 'ls-files', '-s', '--', ...planted)
  return [...sums, staged, gitStatusOf(repo)].join('\n')
}

/** Every path whose work tree, index and HEAD do not agree, and every untracked file. */
export const gitStatusOf = (repo: string): string =>
  gitIn(repo, '-c', 'core.quotePath=false', 'status', '--porcelain=v1', '--untracked-files=all')
