import type { Route } from '#protocol/route.js'
import { routeAreas } from '#protocol/routes.js'
import { escapeHtml, htmlPage } from '#src/domain/html/page.js'
import type { ReferencePage } from './page.js'
import type { PageName } from './page-files.js'
import { headingAnchor } from './render-html.js'

const linkTo = (href: string, text: string): string => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`

const rowItem = ({ method, path, summary }: Route): string => {
  const title = `${method} ${path}`
  return `<li>${linkTo(`/reference/routes.html#${headingAnchor(title)}`, title)}: ${escapeHtml(summary)}</li>`
}

const pageItem = ([name, { title }]: readonly [PageName, ReferencePage]): string =>
  `<li>${linkTo(`/reference/${name}.html`, title)}</li>`

const areaSections = routeAreas.map(({ name, about, tables }) => {
  const items = tables.flatMap(one => Object.values(one)).map(rowItem)
  return `<h2 id="${name}">${escapeHtml(name)}</h2>\n<p>${escapeHtml(about)}</p>\n<ul>\n${items.join('\n')}\n</ul>`
})

/** The first page of the HTML reference: its pages, and the routes by area. */
export const indexPage = (pages: ReadonlyArray<readonly [PageName, ReferencePage]>): string =>
  htmlPage(
    'Reference',
    [
      '<h1>Reference</h1>',
      '<p>Made from the tables of the program; it is that of the version which serves it.</p>',
      `<ul>\n${pages.map(pageItem).join('\n')}\n</ul>`,
      ...areaSections,
    ].join('\n'),
  )
