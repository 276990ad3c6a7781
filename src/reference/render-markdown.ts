import type { PageBlock, ReferencePage } from './page.js'

/** First line of every generated document. */
export const generated = '<!-- Made by `npm run docs` from the tables in protocol/; do not edit. -->'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const row = (cells: ReadonlyArray<string>): string => `| ${cells.map(cell).join(' | ')} |`

/** A part of a page as Markdown. */
export const renderPageBlock = (block: PageBlock): string => {
  switch (block._tag) {
    case 'Heading':
      return `## ${block.text}`
    case 'Paragraph':
      return block.text
    case 'List':
      return block.items.map(item => `- ${item}`).join('\n')
    case 'Table':
      return [row(block.heads), row(block.heads.map(() => '---')), ...block.rows.map(row)].join('\n')
    case 'Code':
      return `\`\`\`${block.language}\n${block.text}\n\`\`\``
  }
}

/** The page as Markdown. */
export const renderMarkdown = ({ title, intro, blocks }: ReferencePage): string =>
  `${[generated, `# ${title}`, intro, ...blocks.map(renderPageBlock)].join('\n\n')}\n`
