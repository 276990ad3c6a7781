import { deepEqual, equal } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'
import { openRemovedLines } from './removed-lines.js'

const index = (...orrin: ReadonlyArray<string>): string =>
  ['### Orrin', '- @typ: NPC', ...orrin, '', '### Maela', '- @typ: NPC', '- @grupa: Gwardia (auto)', ''].join(
    '\n',
  )
const signal = new AbortController().signal

describe('lines of a machine that were removed', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({
      'encje/indeks.md': index('- @grupa: Gwardia (auto)', '- @alias: Rudy (auto)'),
    })
  })
  afterEach(() => repository.dispose())

  it('are known by their block, whatever other block has the same line', async () => {
    repository.commit({ 'encje/indeks.md': index('- @alias: Rudy (auto)') })
    const removed = openRemovedLines(repository.path)
    await removed.refresh(signal)
    deepEqual(
      [
        removed.has('orrin', 'grupa', 'gwardia'),
        removed.has('Maela', 'grupa', 'Gwardia'),
        removed.has('Orrin', 'alias', 'Rudy'),
      ],
      [true, false, false],
    )
  })

  it('are read on from the last refresh', async () => {
    const removed = openRemovedLines(repository.path)
    await removed.refresh(signal)
    equal(removed.has('Orrin', 'grupa', 'Gwardia'), false)
    repository.commit({ 'encje/indeks.md': index() })
    await removed.refresh(signal)
    deepEqual([removed.has('Orrin', 'grupa', 'Gwardia'), removed.has('Orrin', 'alias', 'Rudy')], [true, true])
  })

  it('count also where a person keeps the value without the mark, and with the whole block', async () => {
    repository.commit({ 'encje/indeks.md': index('- @grupa: Gwardia', '- @alias: Rudy (auto)') })
    repository.commit({ 'encje/indeks.md': '### Orrin\n- @typ: NPC\n' })
    const removed = openRemovedLines(repository.path)
    await removed.refresh(signal)
    deepEqual(
      [removed.has('Orrin', 'grupa', 'Gwardia'), removed.has('Maela', 'grupa', 'Gwardia')],
      [true, true],
    )
  })

  it('are none where the commit is of an autopilot', async () => {
    writeFiles(repository.path, { 'encje/indeks.md': index() })
    repository.git('add', '-A')
    repository.git('commit', '-q', '-m', 'autopilot: Orrin @grupa\n\nSvc-Route: autopilot:lineage')
    const removed = openRemovedLines(repository.path)
    await removed.refresh(signal)
    equal(removed.has('Orrin', 'grupa', 'Gwardia'), false)
  })
})
