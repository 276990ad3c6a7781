import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { clonePlainly, commitPlainly, initPlainly, publishPlainly, readCommit } from './plain-git.js'
import { temporaryFolder, testGitEnvironment, writeFiles } from './repository.js'

const by = { name: 'Żaneta', email: 'zaneta@kronika.invalid', atMs: 1_700_000_000_000 }
const message = 'pierwszy  \n\n\n\nSvc-Intent: 1\n\n'

/** Names whose order differs by bytes, by characters and by folder; a long one; a file that runs and a link. */
const makeFiles = (root: string): void => {
  writeFiles(root, {
    'encje/indeks.md': 'a\n',
    'encje.md': 'b\n',
    'encje-2/z.md': 'c\n',
    'Ąć/ż ó.md': 'd\n',
    'zz/\u{1F600}.md': 'e\n',
    'zz/\uFF5E.md': 'f\n',
    [`długa/${'x'.repeat(200)}.md`]: '',
    'obraz.bin': Buffer.from([0, 255, 10, 13]),
    'run.sh': '#!/bin/sh\n',
  })
  chmodSync(join(root, 'run.sh'), 0o755)
  symlinkSync('encje/indeks.md', join(root, 'link.md'))
}

describe('a repository made by code', () => {
  let folder: ReturnType<typeof temporaryFolder>
  const at = (name: string): string => join(folder.path, name)
  const git = (cwd: string, ...args: ReadonlyArray<string>): string =>
    execFileSync('git', args, {
      cwd,
      encoding: 'utf8',
      env: {
        ...testGitEnvironment,
        ...Object.fromEntries(
          ['AUTHOR', 'COMMITTER'].flatMap(who => [
            [`GIT_${who}_NAME`, by.name],
            [`GIT_${who}_EMAIL`, by.email],
            [`GIT_${who}_DATE`, `@${by.atMs / 1000} +0000`],
          ]),
        ),
      },
    }).trim()
  const gitCommit = (cwd: string, text = message): string => {
    git(cwd, 'add', '-A')
    git(cwd, 'commit', '-q', '-m', text)
    return git(cwd, 'rev-parse', 'HEAD')
  }
  const isWhole = (cwd: string): void => {
    equal(git(cwd, 'fsck', '--strict', '--full'), '')
    equal(git(cwd, 'status', '--porcelain'), '')
  }

  beforeEach(() => {
    folder = temporaryFolder()
    mkdirSync(at('plain'))
    initPlainly(at('plain'))
  })
  afterEach(() => folder.dispose())

  it('is the one that git makes, commit by commit', () => {
    git(folder.path, 'init', '-q', '-b', 'main', at('real'))
    for (const change of [
      makeFiles,
      (root: string): void => {
        rmSync(join(root, 'encje.md'))
        writeFiles(root, { 'encje.md/inna.md': 'g\n', 'encje/indeks.md': 'h\n' })
      },
    ]) {
      const commits = ['plain', 'real'].map(name => {
        change(at(name))
        return name === 'plain' ? commitPlainly(at(name), message, by) : gitCommit(at(name))
      })
      equal(commits[0], commits[1])
      equal(readCommit(at('plain')), commits[0])
      equal(readCommit(at('real'), 'refs/heads/main'), commits[0])
      isWhole(at('plain'))
    }
    const logs = ['plain', 'real'].map(name =>
      readFileSync(join(at(name), '.git/logs/refs/heads/main'), 'utf8'),
    )
    equal(logs[0], logs[1])
    deepEqual(
      ...(['plain', 'real'].map(name => git(at(name), 'config', '--list', '--local')) as [string, string]),
    )
  })

  it('goes on where git has committed, and git goes on where it has', () => {
    makeFiles(at('plain'))
    const first = commitPlainly(at('plain'), 'one', by)
    writeFiles(at('plain'), { 'a.md': 'a\n' })
    const second = gitCommit(at('plain'), 'two')
    writeFiles(at('plain'), { 'a.md': 'b\n' })
    const third = commitPlainly(at('plain'), 'three', by)
    equal(git(at('plain'), 'rev-list', 'HEAD'), [third, second, first].join('\n'))
    isWhole(at('plain'))
    throws(() => commitPlainly(at('plain'), 'four', by), /nothing to commit/)
  })

  it('makes a bare repository that git pushes to', () => {
    initPlainly(at('bare.git'), true)
    makeFiles(at('plain'))
    const commit = commitPlainly(at('plain'), 'one', by)
    equal(readCommit(at('bare.git')), null)
    git(at('plain'), 'push', '-q', at('bare.git'), 'main')
    equal(readCommit(at('bare.git')), commit)
    publishPlainly(at('plain'), at('other.git'))
    git(folder.path, 'clone', '-q', at('other.git'), at('clone'))
    equal(readCommit(at('clone')), commit)
    isWhole(at('clone'))
    isWhole(at('plain'))
  })

  it('clones as git does', () => {
    makeFiles(at('plain'))
    commitPlainly(at('plain'), 'one', by)
    publishPlainly(at('plain'), at('bare.git'))
    git(at('plain'), 'push', '-q', at('bare.git'), 'main:refs/heads/svc/publish/a')
    ok(clonePlainly(at('bare.git'), at('code')))
    git(folder.path, 'clone', '-q', at('bare.git'), at('real'))
    for (const read of [
      ['for-each-ref', '--format=%(refname) %(objectname) %(symref) %(upstream)'],
      ['config', '--list', '--local'],
      ['ls-files', '--stage'],
    ])
      equal(git(at('code'), ...read), git(at('real'), ...read))
    deepEqual(readFileSync(join(at('code'), 'obraz.bin')), Buffer.from([0, 255, 10, 13]))
    isWhole(at('code'))
  })

  it('leaves a clone of what git would not simply check out to git', () => {
    const cases: Readonly<Record<string, () => void>> = {
      attributes: () => {
        writeFiles(at('plain'), { '.gitattributes': '*.md text eol=crlf\n' })
        gitCommit(at('plain'))
        git(at('plain'), 'push', '-q', at('bare.git'), 'main')
      },
      'a tag': () => void git(at('bare.git'), 'tag', 'v1'),
      'packed objects': () => void git(at('bare.git'), 'repack', '-qad'),
      'packed refs': () => void git(at('bare.git'), 'pack-refs', '--all'),
      'a module': () => {
        git(at('plain'), 'update-index', '--add', '--cacheinfo', `160000,${'a'.repeat(40)},module`)
        git(at('plain'), 'commit', '-q', '-m', 'module')
        git(at('plain'), 'push', '-q', at('bare.git'), 'main')
      },
      'no commit': () => rmSync(join(at('bare.git'), 'refs/heads/main')),
    }
    for (const [name, make] of Object.entries(cases)) {
      for (const one of ['plain', 'bare.git']) rmSync(at(one), { recursive: true, force: true })
      mkdirSync(at('plain'))
      initPlainly(at('plain'))
      writeFileSync(join(at('plain'), 'a.md'), 'a\n')
      commitPlainly(at('plain'), 'one', by)
      publishPlainly(at('plain'), at('bare.git'))
      make()
      equal(clonePlainly(at('bare.git'), at('clone')), false, name)
      equal(existsSync(at('clone')), false, name)
    }
  })

  it('leaves to git what git would not simply store', () => {
    const cases: Readonly<Record<string, () => void>> = {
      'an ignored file': () => writeFiles(at('plain'), { '.gitignore': '*.log\n' }),
      attributes: () => writeFiles(at('plain'), { 'below/.gitattributes': '*.md text\n' }),
      'a pattern in info/exclude': () => writeFiles(at('plain'), { '.git/info/exclude': '*.log\n' }),
      'a setting': () => void git(at('plain'), 'config', 'core.autocrlf', 'input'),
      'a hook': () => writeFiles(at('plain'), { '.git/hooks/pre-commit': '#!/bin/sh\n' }),
      'a held index': () => writeFiles(at('plain'), { '.git/index.lock': '' }),
      'a merge': () => writeFiles(at('plain'), { '.git/MERGE_HEAD': `${'0'.repeat(40)}\n` }),
      'a repository within': () => writeFiles(at('plain'), { 'below/.git/HEAD': 'ref: refs/heads/main\n' }),
      'a packed branch': () => {
        gitCommit(at('plain'))
        git(at('plain'), 'pack-refs', '--all')
      },
      'a detached head': () => {
        gitCommit(at('plain'))
        git(at('plain'), 'checkout', '-q', '--detach')
      },
      'a packed commit': () => {
        const commit = gitCommit(at('plain'))
        git(at('plain'), 'gc', '-q')
        writeFiles(at('plain'), { '.git/refs/heads/main': `${commit}\n` })
      },
      'a flag of the index': () => {
        gitCommit(at('plain'))
        git(at('plain'), 'update-index', '--skip-worktree', 'a.md')
      },
    }
    for (const [name, make] of Object.entries(cases)) {
      rmSync(at('plain'), { recursive: true })
      mkdirSync(at('plain'))
      initPlainly(at('plain'))
      writeFileSync(join(at('plain'), 'a.md'), 'a\n')
      make()
      equal(commitPlainly(at('plain'), 'one', by), null, name)
    }
  })

  it('stores nothing of an ignored folder', () => {
    writeFiles(at('plain'), {
      '.git/info/exclude': '/.svc/state/\n',
      '.svc/state/x.db': 'x',
      '.svc/a.json': '{}',
    })
    ok(commitPlainly(at('plain'), 'one', by) !== null)
    equal(git(at('plain'), 'ls-files'), '.svc/a.json')
    isWhole(at('plain'))
  })
})
