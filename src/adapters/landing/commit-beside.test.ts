import { deepEqual, equal } from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { first, type LandingRig, makeLandingRig, repoPathOf } from '#test/support/landing-rig.js'
import { repositoryOf } from '#test/support/repository.js'
import { commitBeside, type FileCommit } from './commit-beside.js'

const draft = {
  intent: 'intent-1',
  actor: 'operator',
  route: 'keys',
  author: { name: 'Operator', email: 'operator@example.invalid' },
  message: 'keys: rotate\n',
}

/** Appends a line to the file; `seen` collects its committed content. */
const appendTo = (path: string, seen: Array<string | null> = []): FileCommit => ({
  path: repoPathOf(path),
  atMs: 1_700_000_000_000,
  compose: before => {
    seen.push(before?.bytes.toString('utf8') ?? null)
    return { bytes: Buffer.concat([before?.bytes ?? Buffer.alloc(0), Buffer.from('nowy\n')]), draft }
  },
})

describe('a commit of one file beside a daemon', () => {
  let rig: LandingRig
  beforeEach(() => {
    rig = makeLandingRig()
  })
  afterEach(() => rig.dispose())

  const git = (...args: ReadonlyArray<string>): string => rig.repository.git(...args)

  for (const [path, before] of [
    ['encje/a.md', first],
    ['encje/nowa.md', null],
  ] as const)
    it(`brings ${path} to branch, index and work tree, and leaves the rest as it is`, async () => {
      const seen: Array<string | null> = []
      const from = rig.repository.head()
      const outcome = await commitBeside(rig.repository.path, appendTo(path, seen))
      const head = rig.repository.head()
      deepEqual(outcome, { _tag: 'Right', right: { commit: head, behind: false } })
      deepEqual(seen, [before])
      equal(git('rev-parse', 'HEAD^'), from)
      equal(git('log', '-1', '--format=%an %s'), 'Operator keys: rotate')
      equal(readFileSync(join(rig.repository.path, path), 'utf8'), `${before ?? ''}nowy\n`)
      deepEqual(
        git('status', '--porcelain')
          .split('\n')
          .map(line => line.trim())
          .sort(),
        ['?? nowy.md', 'M b.md'],
      )
      equal(existsSync(join(rig.repository.path, '.svc/state/beside')), false)
    })

  it('does nothing where nothing is to be committed', async () => {
    const from = rig.repository.head()
    const outcome = await commitBeside(rig.repository.path, {
      ...appendTo('encje/a.md'),
      compose: () => null,
    })
    deepEqual(outcome, { _tag: 'Right', right: null })
    equal(rig.repository.head(), from)
  })

  it('leaves a file that a person edits', async () => {
    const outcome = await commitBeside(rig.repository.path, appendTo('b.md'))
    deepEqual(outcome, { _tag: 'Left', left: { _tag: 'Dirty', files: ['b.md'] } })
  })

  it('waits for the lock of a person, and names it', async () => {
    const lock = join(rig.repository.path, '.git/index.lock')
    writeFileSync(lock, '')
    deepEqual(await commitBeside(rig.repository.path, appendTo('encje/a.md')), {
      _tag: 'Left',
      left: { _tag: 'Locked', lock },
    })
    equal(existsSync(lock), true)
  })

  it('makes no commit on a detached HEAD', async () => {
    git('checkout', '-q', '--detach')
    deepEqual(await commitBeside(rig.repository.path, appendTo('encje/a.md')), {
      _tag: 'Left',
      left: { _tag: 'Detached' },
    })
    equal(existsSync(join(rig.repository.path, '.git/index.lock')), false)
  })

  it('asks for a first commit where there is none', async () => {
    const empty = repositoryOf({})
    try {
      empty.git('checkout', '-q', '--orphan', 'new')
      empty.git('read-tree', '--empty')
      const outcome = await commitBeside(empty.path, appendTo('a.md'))
      deepEqual(outcome, {
        _tag: 'Left',
        left: { _tag: 'Failed', reason: 'there is no commit yet: commit the lore first' },
      })
    } finally {
      empty.dispose()
    }
  })
})
