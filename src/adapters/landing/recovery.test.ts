import { deepEqual, equal, ok } from 'node:assert/strict'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { afterEach, describe, it } from 'mocha'
import { CommitId } from '#protocol/atoms.js'
import { makeCrashingDisk } from '#test/support/broken-disk.js'
import {
  changedText,
  first,
  isWhole,
  landIn,
  makeLandingRig,
  readHeadIds,
  recoverAnew,
  repoPathOf,
  textIn,
  writeThrough,
} from '#test/support/landing-rig.js'
import { repositoryOf, writeFiles } from '#test/support/repository.js'
import { numbersBelow, someOf } from '#test/support/runs.js'
import type { Disk } from './disk.js'
import { openLanding } from './landing.js'
import { blobObject } from './objects/object-writer.js'

const countOf = async (): Promise<number> => {
  const one = makeLandingRig()
  const counted = makeCrashingDisk(Number.POSITIVE_INFINITY)
  await writeThrough(one.repository, one.intents, { disk: counted.disk })
  one.dispose()
  return counted.calls.length
}

describe('a landing that ends in the middle', () => {
  let disposals: ReadonlyArray<() => void> = []
  const fresh = () => {
    const one = makeLandingRig()
    disposals = [...disposals, one.dispose]
    return one
  }
  afterEach(() => {
    for (const dispose of disposals) dispose()
    disposals = []
  })

  it('recovers from a crash before each of its calls, and the next write lands', async () => {
    const steps = await countOf()
    ok(steps > 20, `${steps} steps`)
    const seen = new Set<string>()
    for (const at of someOf(numbersBelow(steps))) {
      const { repository, intents } = fresh()
      await writeThrough(repository, intents, { disk: makeCrashingDisk(at).disk })
      const { landed, lost } = await recoverAnew(repository, intents)
      const hasWrite = repository.git('rev-list', '--count', 'HEAD') === '2'
      isWhole(repository, intents, hasWrite)
      seen.add(`${landed.length}${lost.length}${String(hasWrite)}`)
      if (!hasWrite) ok((await writeThrough(repository, intents, {}, 'intent-2')).landed !== null)
      isWhole(repository, intents, true)
    }
    // Both outcomes occurred: a crash before the intent, and one after the branch moved. No disk call lies
    // between them.
    ok(seen.has('00false') && seen.has('10true'), [...seen].join())
  })

  it('is lost when it was announced and the branch never moved', async () => {
    const { repository, intents } = fresh()
    const { base } = readHeadIds(repository)
    const commit = CommitId.decode('1'.repeat(40))
    if (isLeft(commit)) throw new Error('an id wanted')
    intents.prepare([
      {
        id: 'intent-0',
        tree: 'lore',
        atMs: 1,
        actor: 'a',
        route: 'r',
        commit: commit.right,
        parent: base,
        state: 'prepared',
        paths: [{ path: repoPathOf('encje/a.md'), old: null, new: null }],
      },
    ])
    deepEqual((await recoverAnew(repository, intents)).lost, ['intent-0'])
    isWhole(repository, intents, false)
  })

  it('is settled by the recovery of its own tree: another tree takes it neither for lost nor for made', async () => {
    const { repository, intents } = fresh()
    const other = repositoryOf({ 'encje/a.md': first, 'b.md': 'b\n' })
    const author = { name: 'Żaneta', email: 'zaneta@kronika.invalid' }
    const landed = openLanding({ repo: other.path, tree: 'logi', intents: null, lockWaitsMs: [] })
    const path = repoPathOf('nowy.txt')
    const draft = { intent: 'made', actor: 'a', route: 'r', author, message: 'm\n\nSvc-Intent: made\n' }
    const after = new Map([[path, Buffer.from('nowy\n')]])
    const made = await landIn(landed, readHeadIds(other).base, [{ path, before: null }], { ...draft, after })
    landed.close()
    if (isLeft(made)) throw new Error('a landing wanted')
    const commit = made.right.commits[0]
    const gone = CommitId.decode('1'.repeat(40))
    if (isLeft(gone) || commit === undefined) throw new Error('an id wanted')
    const paths = [{ path, old: null, new: blobObject(Buffer.from('nowy\n')).id }]
    const common = { atMs: 1, actor: 'a', route: 'r', parent: null, state: 'prepared', paths } as const
    intents.prepare([
      { ...common, id: 'open', tree: 'logi', commit: gone.right },
      { ...common, id: 'made', tree: 'logi', commit },
      { ...common, id: 'lore', tree: 'lore', commit: gone.right },
    ])
    deepEqual((await recoverAnew(repository, intents)).lost, ['lore'])
    deepEqual(
      intents.prepared().map(({ id }) => id),
      ['open', 'made'],
    )
    const again = openLanding({ repo: other.path, tree: 'logi', intents, lockWaitsMs: [] })
    const found = await again.recover()
    again.close()
    deepEqual(found, right({ landed: ['made'], lost: ['open'], left: [] }))
    deepEqual(intents.prepared(), [])
    other.dispose()
  })

  it('is found in a history that was rewritten by its trailer and its files, and by a trailer alone it is not', async () => {
    const commit = CommitId.decode('1'.repeat(40))
    if (isLeft(commit)) throw new Error('an id wanted')
    for (const [text, message, expected] of [
      [changedText, 'zmiana\n\nSvc-Intent: intent-0\n', 'landed'],
      ['inny\n', 'zmiana\n\nSvc-Intent: intent-0\n', 'lost'],
      [changedText, 'o Svc-Intent: intent-0 mowa\n', 'lost'],
    ] as const) {
      const { repository, intents } = fresh()
      const { base, before } = readHeadIds(repository)
      writeFiles(repository.path, { 'encje/a.md': text })
      repository.git('commit', '-q', '-m', message, '--', 'encje/a.md')
      const after = blobObject(Buffer.from(changedText)).id
      const paths = [{ path: repoPathOf('encje/a.md'), old: before, new: after }]
      intents.prepare([
        {
          id: 'intent-0',
          tree: 'lore',
          atMs: 1,
          actor: 'a',
          route: 'r',
          commit: commit.right,
          parent: base,
          state: 'prepared',
          paths,
        },
      ])
      const { landed, lost } = await recoverAnew(repository, intents)
      deepEqual({ landed, lost, [expected]: ['intent-0'] }, { landed, lost })
      equal(landed.length + lost.length, 1)
    }
  })

  it('leaves what a person made of a file since the crash', async () => {
    const { repository, intents } = fresh()
    const steps = await countOf()
    let disk: Disk | null = null
    for (let at = steps - 1; disk === null && at > 0; at -= 1) {
      const { repository: probe, intents: told } = fresh()
      await writeThrough(probe, told, { disk: makeCrashingDisk(at).disk })
      if (textIn(probe, 'encje/a.md') === first) disk = makeCrashingDisk(at).disk
    }
    ok(disk !== null)
    await writeThrough(repository, intents, { disk })
    equal(repository.git('rev-list', '--count', 'HEAD'), '2')
    writeFiles(repository.path, { 'encje/a.md': 'ręką\n' })
    await recoverAnew(repository, intents)
    equal(textIn(repository, 'encje/a.md'), 'ręką\n')
    equal(repository.git('diff', '--cached', '--name-only'), '')
  })
})
