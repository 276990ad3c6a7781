import { type IndexFile, readIndexFileInSlices } from '#src/domain/entities/bound-findings.js'
import { type Finding, firstOfEachKind } from '#src/domain/lore/finding.js'
import { type FileRole, roleOf, type SourceFile } from '#src/domain/lore/layout.js'
import { parseCharacterFileInSlices } from '#src/domain/people/character-file.js'
import type { CharacterFile } from '#src/domain/people/section-body.js'
import { parseSessionFileInSlices, type SessionFile } from '#src/domain/sessions/reading/session-file.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'

/**
 * A parsed file. It depends on path and text alone, so it is reused until one of them changes. A `Text` file
 * is parsed by the stage that owns it.
 */
export type ParsedFile =
  | { readonly _tag: 'Index'; readonly source: SourceFile; readonly index: IndexFile }
  | { readonly _tag: 'Character'; readonly source: SourceFile; readonly character: CharacterFile }
  | { readonly _tag: 'Sessions'; readonly source: SourceFile; readonly sessions: SessionFile }
  | { readonly _tag: 'Text'; readonly source: SourceFile; readonly role: FileRole }

const limitFindings = <A extends { readonly findings: ReadonlyArray<Finding> }>(parsed: A): A => {
  const findings = firstOfEachKind(parsed.findings)
  return findings === parsed.findings ? parsed : { ...parsed, findings }
}

/** Parses a file in slices by the role of its path; a file of any other role stays text. */
export const parseFileInSlices = function* (source: SourceFile): Sliced<ParsedFile> {
  const role = roleOf(source.path)
  if (role === 'index')
    return { _tag: 'Index', source, index: limitFindings(yield* readIndexFileInSlices(source)) }
  if (role === 'character')
    return { _tag: 'Character', source, character: limitFindings(yield* parseCharacterFileInSlices(source)) }
  if (role === 'sessions')
    return { _tag: 'Sessions', source, sessions: limitFindings(yield* parseSessionFileInSlices(source)) }
  return { _tag: 'Text', source, role }
}

/** Runs `parseFileInSlices` to its end without yielding. */
export const parseFile = (source: SourceFile): ParsedFile => atOnce(parseFileInSlices(source))
