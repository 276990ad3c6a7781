import { deepEqual } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, it } from 'mocha'
import { openTreeSource } from '#src/adapters/git/git-source.js'
import { openLanding } from '#src/adapters/landing/landing.js'
import { landIn } from '#test/support/landing-rig.js'
import { repositoryOf, writeFiles } from '#test/support/repository.js'
import { dirtyAt } from './watch.js'

describe('the dirty files that a dry run lists', () => {
  it('are the drafts of a person, and none that a landing writes meanwhile', async () => {
    const repository = repositoryOf({ 'a.md': 'a', 'b.md': 'b' })
    const source = openTreeSource(repository.path)
    const landing = openLanding({ repo: repository.path, intents: null })
    try {
      const head = await source.head()
      const { entries } = await source.list(head)
      const files = entries.map(({ path, blob }) => ({ path, before: blob }))
      writeFiles(repository.path, { 'b.md': 'szkic' })
      deepEqual(await dirtyAt(landing)(head.commit, files), ['b.md'])
      const draft = {
        intent: 'intent-1',
        actor: 'machine',
        route: 'PATCH /entities/:name',
        author: { name: 'machine', email: 'machine@example.org' },
        message: 'a\n',
        after: new Map(files.slice(0, 1).map(({ path }) => [path, Buffer.from('c')])),
        audit: [],
      }
      const [landed, dirty] = await Promise.all([
        landIn(landing, head.commit, files.slice(0, 1), draft),
        dirtyAt(landing)(head.commit, files),
      ])
      deepEqual([isLeft(landed), dirty], [false, []])
    } finally {
      landing.close()
      await source.close()
      repository.dispose()
    }
  })
})
