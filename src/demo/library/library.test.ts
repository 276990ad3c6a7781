import assert from 'node:assert/strict'
import type { Change } from '../commit.js'
import { demoWorld } from '../world.js'

const documentsOf = (changes: ReadonlyArray<Change>): ReadonlyArray<Change> =>
  changes.filter(({ path }) => /\.(?:md|pdf\.json)$/u.test(path) && !path.startsWith('governance/'))

const worksOf = (seed: string, scale?: number): ReadonlyArray<Change> =>
  demoWorld({ seed, ...(scale === undefined ? {} : { scale }) }).works.flatMap(({ changes }) => changes)

const sentencesOf = ({ text }: Change): ReadonlyArray<string> =>
  text
    .split('\n')
    .filter(line => !line.startsWith('- @') && !line.startsWith('#'))
    .flatMap(line => line.split(/(?<=[.!?])\s+/u))
    .filter(sentence => sentence.split(' ').length > 4)

describe('the works documents of the demo', () => {
  for (const scale of [undefined, 1]) {
    const works = worksOf('próba', scale)
    const documents = documentsOf(works)
    const world = scale === undefined ? 'for a newcomer' : `at scale ${scale}`

    it(`are 40, two of them scans with their text beside them, ${world}`, () => {
      assert.equal(documents.length, 40)
      assert.equal(new Set(documents.map(({ path }) => path)).size, 40)
      const scans = documents.filter(({ path }) => path.endsWith('.pdf.json'))
      assert.equal(scans.length, 2)
      const paths = works.map(({ path }) => path)
      for (const { path } of scans) assert.ok(paths.includes(path.replace(/\.json$/u, '')), path)
    })

    it(`hardly repeat a sentence, and leave no slot unfilled, ${world}`, () => {
      const sentences = documents.filter(({ path }) => path.endsWith('.md')).flatMap(sentencesOf)
      assert.ok(sentences.length > 250)
      assert.ok(1 - new Set(sentences).size / sentences.length < 0.1)
      for (const { path, text } of documents)
        if (path.endsWith('.md')) assert.doesNotMatch(text, /[{}<>]/u, path)
    })
  }

  it('state their diegesis and authority in a leading list, but for the herbal', () => {
    for (const { path, text } of documentsOf(worksOf('próba'))) {
      if (!path.endsWith('.md')) continue
      const list = /^- @diegesis: (in-game|out-of-game|mixed)\n- @authority: (rada|player-ip)\n\n# /u
      assert.equal(list.test(text), !path.startsWith('zielnik/'), path)
    }
  })

  it('differ with the seed', () => {
    const [one, other] = [worksOf('próba'), worksOf('inna')]
    assert.notDeepEqual(documentsOf(one), documentsOf(other))
    assert.deepEqual(documentsOf(worksOf('próba')), documentsOf(one))
  })
})
