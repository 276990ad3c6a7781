import { existsSync } from 'node:fs'
import { anchorsIn } from './citations.js'
import { documents, root, type Source } from './sources.js'

/** The text of each page of the repository by its path. */
export const pageTexts: ReadonlyMap<string, string> = new Map(documents.map(({ path, text }) => [path, text]))

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

/** The path that a link of a page leads to. */
export const pathFrom = (from: string, target: string): string => {
  const parts = from.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  return parts.join('/')
}

/** The links of a page within the repository, as they are written; code is no link. */
export const linksIn = (text: string): ReadonlyArray<string> =>
  [...text.replaceAll(/^ {4}.*$|^```[^]*?^```$|`[^`]*`/gm, '').matchAll(/\]\(([^()\s]+)\)/g)]
    .map(found => found[1] ?? '')
    .filter(link => !link.includes('://'))

/** The pages of docs/spec that a text names, as `docs/spec/page.md` or `docs/spec/page.md#anchor`, and that are not there. */
export const findBrokenMentions = ({ path, text }: Source): ReadonlyArray<string> =>
  [...text.matchAll(/\bdocs\/spec\/[\w-]+\.md(?:#[\w-]+)?/g)].flatMap(found => {
    const mention = found[0]
    const [page = '', anchor = ''] = mention.split('#')
    const target = pageTexts.get(page)
    const isFound = target !== undefined && (anchor === '' || targetsIn(target).has(anchor))
    return isFound ? [] : [`${path}: ${mention}`]
  })

/** Whether a page, or a file or folder that is no page, is there; an anchor is looked for in pages alone. */
const isTarget = (page: string | undefined, path: string, anchor: string): boolean => {
  if (page !== undefined) return anchor === '' || targetsIn(page).has(anchor)
  return anchor === '' && !path.endsWith('.md') && existsSync(`${root}/${path}`)
}

/** The links of a page to files and anchors that are not there, as `path: link`. */
export const findBrokenLinks = ({ path, text }: Source): ReadonlyArray<string> =>
  linksIn(text).flatMap(link => {
    const [target = '', anchor = ''] = link.split('#')
    const page = target === '' ? text : pageTexts.get(pathFrom(path, target))
    return isTarget(page, pathFrom(path, target), anchor) ? [] : [`${path}: ${link}`]
  })
