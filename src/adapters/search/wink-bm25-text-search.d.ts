declare module 'wink-bm25-text-search' {
  export interface WinkDocument {
    /** By the place of a word: after `consolidate` its score in the document. */
    readonly freq: Readonly<Record<number, number>>
    readonly fieldValues: { readonly row: number }
    readonly length: number
  }
  export interface Wink {
    readonly defineConfig: (config: {
      readonly fldWeights: Readonly<Record<string, number>>
      readonly ovFldNames: ReadonlyArray<string>
    }) => boolean
    readonly definePrepTasks: (tasks: ReadonlyArray<(text: string) => ReadonlyArray<string>>) => number
    readonly addDoc: (document: { readonly words: string; readonly row: number }, id: number) => number
    readonly consolidate: (precision: number) => boolean
    readonly search: (
      text: string,
      limit: number,
      filter: (values: { readonly row: number }) => boolean,
    ) => ReadonlyArray<readonly [id: string, score: number]>
    readonly exportJSON: () => string
    readonly importJSON: (json: string) => boolean
    /** The documents themselves: a change of the record changes the wink. */
    readonly getDocs: () => Record<number, WinkDocument>
    readonly getTokens: () => Readonly<Record<string, number>>
  }
  const makeWink: () => Wink

  export { makeWink as default }
}
