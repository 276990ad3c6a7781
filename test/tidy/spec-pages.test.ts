import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { citingTexts, specPages } from './citations.js'
import { findBrokenLinks, findBrokenMentions, linksIn, pageTexts, pathFrom } from './links.js'

describe('the pages of docs/spec', () => {
  it('lead to pages and anchors that are there', () => {
    deepEqual(specPages.flatMap(findBrokenLinks), [])
  })

  it('report a link to a page or an anchor that is not there', () => {
    const path = 'docs/spec/new.md'
    const text =
      '# A new page\n[one](none.md) [two](http.md#none) [three](#a-new-page) [four](http.md#commits)\n'
    deepEqual(findBrokenLinks({ path, text }), [`${path}: none.md`, `${path}: http.md#none`])
  })

  it('are there where code and documents name them, with their anchors', () => {
    deepEqual(
      citingTexts.filter(({ path }) => !path.startsWith('test/tidy/')).flatMap(findBrokenMentions),
      [],
    )
    const text = 'Merges (docs/spec/merging.md#order; docs/spec/merging.md#none).'
    deepEqual(findBrokenMentions({ path: 'src/a.ts', text }), ['src/a.ts: docs/spec/merging.md#none'])
  })

  it('are all reached from the first of them', () => {
    const reached = new Set(['docs/spec/README.md'])
    for (const path of reached)
      for (const link of linksIn(pageTexts.get(path) ?? '')) {
        const target = pathFrom(path, link.split('#')[0] ?? '')
        if (pageTexts.has(target)) reached.add(target)
      }
    deepEqual(
      specPages.map(({ path }) => path).filter(path => !reached.has(path)),
      [],
    )
  })
})
