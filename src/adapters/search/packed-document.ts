import { type DocumentHead, type SearchDocument, termCharsMax } from '#src/domain/search/document.js'

/** A document as threads send it and files keep it: its words in one text, parted by blanks. */
export interface PackedDocument extends DocumentHead {
  readonly words: string
}

const isWord = (term: string): boolean => term.length > 0 && term.length <= termCharsMax && !/\s/u.test(term)

export const packDocument = ({ terms, ...head }: SearchDocument): PackedDocument => ({
  ...head,
  words: terms.filter(isWord).join(' '),
})
