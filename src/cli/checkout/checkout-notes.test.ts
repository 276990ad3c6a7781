import { deepEqual, equal, match } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { instantOf } from '#protocol/atoms.js'
import { checkoutNotes, convergeNote } from './checkout-notes.js'

const ref = 'refs/svc/parked/host/1'
const parked = { ref, commit: 'a'.repeat(40), conflicts: ['mapy/wielka.txt (changed)'] }
const lore = '/srv/lore.git'
const fine = { branch: 'main', remote: lore, pushRemote: lore, unpublished: 0, parked: [] }
const kinds = (state: typeof fine | Parameters<typeof checkoutNotes>[0]) =>
  checkoutNotes(state, 'origin').map(({ Severity, Kind }) => `${Severity} ${Kind}`)

describe('notes on a checkout', () => {
  it('are its remote alone where all is well', () => {
    deepEqual(kinds(fine), ['Info Remote'])
    deepEqual(kinds({ ...fine, unpublished: null }), ['Info Remote'])
  })

  it('give the command that adds the remote', () => {
    const [only] = checkoutNotes({ ...fine, remote: null, pushRemote: null }, 'lore')
    deepEqual([only?.Kind, only?.Severity], ['NoRemote', 'Info'])
    match(only?.Suggestion ?? '', /^Run git remote add lore URL/)
  })

  it('name both addresses where a push goes elsewhere', () => {
    const [, second] = checkoutNotes({ ...fine, pushRemote: '/srv/copy.git' }, 'origin')
    deepEqual([second?.Kind, second?.Severity], ['PushesElsewhere', 'Warning'])
    match(second?.Detail ?? '', /fetched from \/srv\/lore\.git and pushed to \/srv\/copy\.git/)
  })

  it('begin with what closes the gate, then with what waits for a person', () => {
    const state = { branch: null, remote: null, pushRemote: null, unpublished: 2, parked: [parked] }
    deepEqual(kinds(state), ['Error HeadOnNoBranch', 'Warning Parked', 'Info NoRemote', 'Info Unpublished'])
  })

  it('say of each parked ref how it is looked at and given up', () => {
    const [first] = checkoutNotes({ ...fine, parked: [parked] }, 'origin')
    if (first === undefined) throw new Error('nothing is said of it')
    equal(first.Subject, ref)
    match(first.Suggestion ?? '', new RegExp(`^git diff main ${ref} .* git update-ref -d ${ref}\\.$`))
  })

  it('name the file that a merge left out, and count what is above twenty', () => {
    const detail = (conflicts: ReadonlyArray<string>): string =>
      checkoutNotes({ ...fine, parked: [{ ...parked, conflicts }] }, 'origin')[0]?.Detail ?? ''
    match(detail(parked.conflicts), /Left out: mapy\/wielka\.txt \(changed\)\.$/)
    match(
      detail(Array.from({ length: 22 }, (_, at) => `${at}.txt (changed)`)),
      /19\.txt \(changed\) and 2 more\.$/,
    )
  })

  it('count one commit as one', () => {
    const [, second] = checkoutNotes({ ...fine, unpublished: 1 }, 'origin')
    match(second?.Detail ?? '', /^1 commit is not published/)
  })

  it('name the publish mode of the running host as a cause of unpublished commits', () => {
    const [, second] = checkoutNotes({ ...fine, unpublished: 1 }, 'origin')
    match(second?.Suggestion ?? '', /publishMode is none.* restart the host\./)
  })

  it('end the detail of a failed converge with one period', () => {
    const at = instantOf(Date.parse('2026-06-15T12:00:00Z'))
    for (const detail of ['HEAD is on no branch', 'The remote took longer than the limit of one call.'])
      match(
        convergeNote({ at, action: 'failed', detail }, 'origin', null).Detail,
        /failed at 2026-06-15T12:00:00\.000Z with failed: [^.]+\.$/,
      )
  })
})
