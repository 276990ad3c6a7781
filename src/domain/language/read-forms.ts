import { EntityType, hasHiddenCharacter, type NameKey, nameKey } from '#protocol/atoms.js'
import { bounds } from '#protocol/bounds.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { forEachInSlices, type Sliced } from '#src/domain/slicing/sliced.js'
import type { FormCorrection, LanguageData } from '../names/language-data.js'
import { type LineFault, readLanguageLines } from './read-lines.js'

/** A heading that a line of `odmiany.tsv` names. */
export interface CorrectedHeading {
  readonly line: number
  readonly heading: string
  readonly type: EntityType | null
}

/** `odmiany.tsv` as read. */
export interface FormLines {
  readonly forms: LanguageData['forms']
  /** Each heading and type once, with the first line that names them. */
  readonly headings: ReadonlyArray<CorrectedHeading>
  readonly findings: ReadonlyArray<Finding>
}

/** The most lines of one form: each of its headings is looked up when a name has the form. */
export const linesOfFormMax = 64

export const noForms: FormLines = { forms: new Map(), headings: [], findings: [] }

const shape: LineFault = [
  'Wiersz nie ma postaci „forma, nagłówek” albo „forma, nagłówek, typ” rozdzielonych tabulatorami.',
  'Wpisz formę (z wykrzyknikiem na początku, jeśli ma nie działać), tabulator i nagłówek.',
]
const size: LineFault = [
  `Forma albo nagłówek ma ponad ${bounds.nameChars.limit} znaków lub znak, którego nie widać.`,
  'Skróć nazwę albo przepisz ją ręcznie.',
]
const conflict: LineFault = [
  'Wcześniejszy wiersz mówi o tej formie tego nagłówka coś przeciwnego.',
  'Zostaw jeden z tych dwóch wierszy.',
]
const formBound: LineFault = [
  `Forma ma już ${linesOfFormMax} wierszy; ten został pominięty.`,
  'Zostaw tylko nagłówki, o których ktoś mówi w tej formie.',
]
const unknownType = (type: string): LineFault => [
  `Typ „${type.slice(0, bounds.nameChars.limit)}” nie istnieje.`,
  'Wpisz NPC, Grupa, Lokacja, Mapa, Gracz, Postać, Przedmiot albo Region, albo usuń typ.',
]

const isName = (text: string): boolean => text.length <= bounds.nameChars.limit && !hasHiddenCharacter(text)

/** The lines of one heading while the file is read, by form and type. */
interface Collected {
  readonly corrections: Map<string, FormCorrection>
  readonly types: Set<EntityType | null>
}

/** Parses `odmiany.tsv`: `[!]form, heading[, typ]`, split by tabs. Empty for null; yields between lines. */
export const readFormsInSlices = function* (file: SourceFile | null): Sliced<FormLines> {
  if (file === null) return noForms
  const collected = new Map<NameKey, Collected>()
  const counts = new Map<string, number>()
  const headings: Array<CorrectedHeading> = []
  const findings = yield* readLanguageLines(file, (cells, line) => {
    const [written = '', heading = '', typ = '', ...further] = cells
    const isForbidden = written.startsWith('!')
    const form = isForbidden ? written.slice(1).trim() : written
    if (form === '' || heading === '' || further.length > 0) return shape
    if (!isName(form) || !isName(heading)) return size
    if (typ !== '' && !EntityType.is(typ)) return unknownType(typ)
    const type = EntityType.is(typ) ? typ : null
    const key = nameKey(heading)
    const known: Collected = collected.get(key) ?? { corrections: new Map(), types: new Set() }
    const place = `${type ?? ''}\t${nameKey(form)}`
    const earlier = known.corrections.get(place)
    if (earlier !== undefined) return earlier.isForbidden === isForbidden ? null : conflict
    const count = counts.get(nameKey(form)) ?? 0
    if (count >= linesOfFormMax) return formBound
    counts.set(nameKey(form), count + 1)
    if (!known.types.has(type)) headings.push({ line, heading, type })
    collected.set(key, known)
    known.types.add(type)
    known.corrections.set(place, { form, isForbidden, type })
    return null
  })
  const forms = new Map<NameKey, ReadonlyArray<FormCorrection>>()
  yield* forEachInSlices(collected, ([key, { corrections }]) => forms.set(key, [...corrections.values()]))
  return { forms, headings, findings }
}
