import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import { citingTexts, specPages } from './citations.js'
import { findBrokenLinks, findBrokenMentions, linksIn, pageTexts, pathFrom } from './links.js'

const notBuiltPath = 'docs/spec/not-built-yet.md'

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

  it('call no row that is served not built', () => {
    const served = new Set(Object.values(routes).map(({ method, path }) => `${method} ${path}`))
    const table = (pageTexts.get(notBuiltPath) ?? '').split('\n').filter(line => line.startsWith('|'))
    const listed = table.flatMap(line => [...line.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) [^`]+)`/g)])
    deepEqual(listed.length > 0, true)
    deepEqual(
      listed.map(found => found[1] ?? '').filter(row => served.has(row)),
      [],
    )
  })
})
