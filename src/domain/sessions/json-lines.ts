import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { parseJson } from '#src/domain/json/parse-json.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { rawLines } from '#src/domain/lore/lines/lines.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { atOnce, forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'

/** The valid lines of a JSON-lines file; every other line that is not blank is a finding. */
export interface JsonLines<A> {
  readonly items: ReadonlyArray<A>
  readonly findings: ReadonlyArray<Finding>
}

/**
 * Parses a JSON-lines file. `kind` and `suggestion` are used in the finding of an invalid line. Yields
 * between lines.
 */
export const parseJsonLinesInSlices = function* <A>(
  file: SourceFile | null,
  codec: t.Type<A, unknown, unknown>,
  finding: { readonly kind: string; readonly suggestion: string },
): Sliced<JsonLines<A>> {
  const items: Array<A> = []
  const findings: Array<Finding> = []
  if (file === null) return { items, findings }
  yield* forEachInSlices(rawLines(file.text).entries(), ([at, line]) => {
    if (line.trim() === '') return
    const item = codec.decode(parseJson(line))
    if (isLeft(item))
      findings.push({
        ...finding,
        severity: 'error',
        file: file.path,
        line: at + 1,
        subject: null,
        reason: 'Wiersz nie jest wpisem tego pliku i został pominięty.',
      })
    else items.push(item.right)
  })
  return { items, findings }
}

/** Runs `parseJsonLinesInSlices` to its end without yielding. */
export const readJsonLines = <A>(...args: Parameters<typeof parseJsonLinesInSlices<A>>): JsonLines<A> =>
  atOnce(parseJsonLinesInSlices<A>(...args))
