import { deepEqual, ok } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { findBrokenLinks, linksIn } from './links.js'
import { documents, type Source } from './sources.js'

const pages: ReadonlyArray<Source> = documents.filter(
  ({ path }) => path.startsWith('docs/') || !path.includes('/'),
)

describe('the links of the documents', () => {
  it('lead to files and anchors that are there', () => {
    deepEqual(pages.flatMap(findBrokenLinks), [])
    for (const path of ['README.md', 'CONTRIBUTING.md', 'docs/tour.md'])
      ok(linksIn(pages.find(page => page.path === path)?.text ?? '').length > 0, path)
  })

  it('are reported where a file, a folder or an anchor is not there', () => {
    const links = ['../src/main.ts', '../src/none.ts', '../src/kernel', '../src/none', '../src/main.ts#L1']
    const text = [...links, 'tour.md#a-write', 'tour.md#none', 'none.md']
      .map(link => `[x](${link})`)
      .join(' ')
    deepEqual(findBrokenLinks({ path: 'docs/new.md', text }), [
      'docs/new.md: ../src/none.ts',
      'docs/new.md: ../src/none',
      'docs/new.md: ../src/main.ts#L1',
      'docs/new.md: tour.md#none',
      'docs/new.md: none.md',
    ])
  })
})
