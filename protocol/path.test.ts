import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { pathOf } from './atoms.js'

const refused = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.filter(path => pathOf(path) === null)

describe('a path inside the lore', () => {
  it('has no name that some system takes for the git folder', () => {
    const names = [
      ...[
        '.git',
        '.GIT',
        '.Git',
        '.git.',
        '.git ',
        '.git . .',
        '.git::$INDEX_ALLOCATION',
        '.git:x',
        'git~1',
        'GIT~1',
      ],
      ...['.g\u200cit', '.git\ufeff', '\u202e.git', '.gi\u206ft.', 'git\u200d~1'],
    ]
    const paths = names.flatMap(name => [name, `${name}/config`, `encje/${name}`, `encje/${name}/config`])
    deepEqual(refused(paths), paths)
  })

  it('may have a name that only begins like the git folder', () => {
    const names = [
      '.gitignore',
      '.gitattributes',
      '.gitmodules',
      'git',
      'git~2',
      '.github',
      'a.git',
      '.git-x',
      'gi\u200ct',
    ]
    deepEqual(refused(names.flatMap(name => [name, `encje/${name}`])), [])
  })

  it('never leaves its root', () => {
    const paths = ['', '/etc/passwd', '../a', 'a/../b', 'a/./b', 'a//b', 'a/', 'a\\b', 'a\nb', 'a\u0000']
    deepEqual(refused(paths), paths)
  })
})
