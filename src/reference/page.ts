/** A part of a reference page. Words between backquotes are shown as code. */
export type PageBlock =
  | { readonly _tag: 'Heading'; readonly text: string }
  | { readonly _tag: 'Paragraph'; readonly text: string }
  | { readonly _tag: 'List'; readonly items: ReadonlyArray<string> }
  | {
      readonly _tag: 'Table'
      readonly heads: ReadonlyArray<string>
      readonly rows: ReadonlyArray<ReadonlyArray<string>>
    }
  | { readonly _tag: 'Code'; readonly language: 'json' | 'text'; readonly text: string }

/** A page of the reference, rendered as Markdown and as HTML. */
export interface ReferencePage {
  readonly title: string
  readonly intro: string
  readonly blocks: ReadonlyArray<PageBlock>
}

export const heading = (text: string): PageBlock => ({ _tag: 'Heading', text })
export const paragraph = (text: string): PageBlock => ({ _tag: 'Paragraph', text })
export const list = (items: ReadonlyArray<string>): PageBlock => ({ _tag: 'List', items })
export const codeBlock = (language: 'json' | 'text', text: string): PageBlock => ({
  _tag: 'Code',
  language,
  text,
})

export const table = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
): PageBlock => ({
  _tag: 'Table',
  heads,
  rows,
})

/** Puts the text between backquotes. */
export const code = (text: string): string => `\`${text}\``
