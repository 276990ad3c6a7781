import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { routes } from '#protocol/routes.js'
import { anchorsIn, specPages } from './citations.js'
import { documents, type Source } from './sources.js'

const texts: ReadonlyMap<string, string> = new Map(documents.map(({ path, text }) => [path, text]))

const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** What a link may lead to within a page: its anchors, and its headings as a forge names them. */
const targetsIn = (text: string): ReadonlySet<string> =>
  new Set([
    ...anchorsIn(text),
    ...[...text.matchAll(/\{#([a-z-]+)\}$/gm)].map(found => found[1] ?? ''),
    ...[...text.matchAll(/^#{1,6} (.+)$/gm)].map(found => slugOf(found[1] ?? '')),
  ])

const pathFrom = (from: string, target: string): string => {
  const parts = from.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  return parts.join('/')
}

/** The links of a page within the repository, as they are written; code is no link. */
const linksIn = (text: string): ReadonlyArray<string> =>
  [...text.replaceAll(/^ {4}.*$|`[^`]*`/gm, '').matchAll(/\]\(([^()\s]+)\)/g)]
    .map(found => found[1] ?? '')
    .filter(link => !link.includes('://'))

/** The links of a page to pages and anchors that are not there. */
const findBrokenLinks = ({ path, text }: Source): ReadonlyArray<string> =>
  linksIn(text).flatMap(link => {
    const [target = '', anchor = ''] = link.split('#')
    const page = target === '' ? text : texts.get(pathFrom(path, target))
    const isFound = page !== undefined && (anchor === '' || targetsIn(page).has(anchor))
    return isFound ? [] : [`${path}: ${link}`]
  })

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

  it('are all reached from the first of them', () => {
    const reached = new Set(['docs/spec/README.md'])
    for (const path of reached)
      for (const link of linksIn(texts.get(path) ?? '')) {
        const target = pathFrom(path, link.split('#')[0] ?? '')
        if (texts.has(target)) reached.add(target)
      }
    deepEqual(
      specPages.map(({ path }) => path).filter(path => !reached.has(path)),
      [],
    )
  })

  it('call no row that is served not built', () => {
    const served = new Set(Object.values(routes).map(({ method, path }) => `${method} ${path}`))
    const table = (texts.get(notBuiltPath) ?? '').split('\n').filter(line => line.startsWith('|'))
    const listed = table.flatMap(line => [...line.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) [^`]+)`/g)])
    deepEqual(listed.length > 0, true)
    deepEqual(
      listed.map(found => found[1] ?? '').filter(row => served.has(row)),
      [],
    )
  })
})
