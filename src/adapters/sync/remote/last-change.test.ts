import { equal } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { CommitId } from '#protocol/atoms.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'
import { gitFleetBranch } from './takeover-git.js'

const path = '.svc/fleet.json'

describe('the commit that last changed a file', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({ 'README.md': 'lore\n' })
  })
  afterEach(() => repository.dispose())

  const git = (...args: ReadonlyArray<string>): string => repository.git(...args)
  const flip = (text: string): string => repository.commit({ [path]: text })
  const write = (name: string): string => repository.commit({ [name]: 'a write\n' })
  const merge = (side: string, ...how: ReadonlyArray<string>): string => {
    git('merge', '-q', '-m', `merge ${side}`, ...how, side)
    return git('rev-parse', 'HEAD')
  }
  const commitOf = (text: string): CommitId => {
    const commit = CommitId.decode(text)
    if (isLeft(commit)) throw new Error(`${text} is no commit`)
    return commit.right
  }
  const find = (known: { readonly tip: string; readonly changed: string } | null = null) =>
    gitFleetBranch(repository.path, 'origin').lastChange(
      commitOf(git('rev-parse', 'HEAD')),
      path,
      known === null ? null : { tip: commitOf(known.tip), changed: commitOf(known.changed) },
    )

  it('is null where the file never was', async () => equal(await find(), null))

  it('is not a change on the side of a merge whose version was not kept', async () => {
    const kept = flip('Avlee')
    git('checkout', '-q', '-b', 'local')
    flip('Bracada')
    git('checkout', '-q', 'main')
    const tip = write('Erathia.md')
    merge('local', '--strategy=ours')
    equal(await find(), kept)
    equal(await find({ tip, changed: kept }), kept)
  })

  it('is the commit of a merged branch, whichever parent brings it', async () => {
    flip('Avlee')
    git('checkout', '-q', '-b', 'request')
    const flipped = flip('Bracada')
    git('checkout', '-q', 'main')
    write('Erathia.md')
    merge('request')
    equal(await find(), flipped)
    git('checkout', '-q', '-b', 'host', 'main~1')
    write('Deyja.md')
    merge('main')
    equal(await find(), flipped)
  })

  it('is the second A of A, B, A, also where a side of the merge has the first', async () => {
    const first = flip('Avlee')
    git('branch', 'away')
    flip('Bracada')
    const second = flip('Avlee')
    git('checkout', '-q', 'away')
    const tip = write('Deyja.md')
    merge('main')
    equal(await find(), second)
    equal(await find({ tip, changed: first }), second)
  })

  it('is the first A where a merge took back what the other side changed', async () => {
    const first = flip('Avlee')
    git('checkout', '-q', '-b', 'local')
    flip('Bracada')
    flip('Avlee')
    flip('Bracada')
    git('checkout', '-q', 'main')
    write('Erathia.md')
    merge('local', '--strategy=ours')
    equal(await find(), first)
  })

  it('is a merge that has the version of none of its sides', async () => {
    flip('Avlee')
    git('checkout', '-q', '-b', 'local')
    flip('Bracada')
    git('checkout', '-q', 'main')
    flip('Deyja')
    merge('local', '--strategy=ours', '--no-commit')
    const resolved = flip('Erathia')
    write('Nighon.md')
    equal(await find(), resolved)
  })

  it('stays where later commits leave the file, and is found again where one changes it', async () => {
    const first = flip('Avlee')
    const tip = write('Erathia.md')
    write('Deyja.md')
    equal(await find({ tip, changed: first }), first)
    const second = flip('Bracada')
    write('Nighon.md')
    equal(await find({ tip, changed: first }), second)
  })
})
