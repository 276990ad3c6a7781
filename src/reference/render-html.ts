import { escapeHtml, htmlPage } from '#src/domain/html/page.js'
import type { PageBlock, ReferencePage } from './page.js'

/** Escapes the text, and shows the words between two backquotes as code. A backquote without another one stays. */
const inline = (text: string): string =>
  escapeHtml(text).replace(/`([^`]*)`/g, (_, words: string) => `<code>${words}</code>`)

/**
 * The id of a heading: lower case, each run of characters other than a-z and 0-9 as one hyphen, none at
 * either end. Two headings may have the same id; those of the rows have not, because the index links to them.
 */
export const headingAnchor = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

const cells = (tag: 'td' | 'th', texts: ReadonlyArray<string>): string =>
  `<tr>${texts.map(text => `<${tag}>${inline(text)}</${tag}>`).join('')}</tr>`

const renderBlock = (block: PageBlock): string => {
  switch (block._tag) {
    case 'Heading': {
      const anchor = headingAnchor(block.text)
      return `<h2 id="${anchor}"><a href="#${anchor}">${inline(block.text)}</a></h2>`
    }
    case 'Paragraph':
      return `<p>${inline(block.text)}</p>`
    case 'List':
      return `<ul>\n${block.items.map(item => `<li>${inline(item)}</li>`).join('\n')}\n</ul>`
    case 'Table':
      return `<table>\n${[cells('th', block.heads), ...block.rows.map(row => cells('td', row))].join('\n')}\n</table>`
    case 'Code':
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`
  }
}

/** The page as a whole HTML document. Text is escaped, and words between two backquotes become code. */
export const renderHtml = ({ title, intro, blocks }: ReferencePage): string =>
  htmlPage(
    title,
    [`<h1>${inline(title)}</h1>`, `<p>${inline(intro)}</p>`, ...blocks.map(renderBlock)].join('\n'),
  )
