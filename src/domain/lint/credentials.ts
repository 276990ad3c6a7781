import { perValue } from '#src/domain/caching/per-value.js'
import { type Finding, firstFindings } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { rawLines } from '#src/domain/lore/lines.js'

/**
 * Texts that get into lore only by mistake: tokens and keys of Kronika, private keys, passwords in URLs, URLs
 * that write into a channel. A parameter `key=` of a link does not count, because documents are shared by
 * such links.
 */
const looks = [
  /\b(?:f?sess|apik|named)_[\w.-]{20,}/,
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/,
  /:\/\/[^/\s"\\@:]{1,200}:[^/\s"\\@]{1,200}@/,
  /\/webhooks\/[^/\s"\\]{1,200}\/[\w-]{20,}/,
  /\/api-keys\/claim\/[\w-]{20,}/,
] as const

const holds = (text: string): boolean => looks.some(look => look.test(text))

const credentialFinding =
  (file: SourceFile) =>
  (line: number): Finding => ({
    kind: 'CredentialInLore',
    severity: 'error',
    file: file.path,
    line,
    subject: null,
    reason:
      'Wiersz zawiera coś, co wygląda na dane dostępowe; przeczyta je każdy, kto ma kopię repozytorium.',
    suggestion: 'Unieważnij je u wystawcy i usuń z pliku: w historii repozytorium zostaną na zawsze.',
  })

/** Findings for the lines of a file that look like a credential. They never repeat the value (ADR 1023). */
const inFile = perValue((file: SourceFile): ReadonlyArray<Finding> => {
  if (!holds(file.text)) return []
  const lines = rawLines(file.text).flatMap((line, at) => (holds(line) ? [at + 1] : []))
  return firstFindings(lines, credentialFinding(file))
})

/** Findings for credentials in the files of the lore. */
export const credentialFindings = (files: ReadonlyMap<string, SourceFile>): ReadonlyArray<Finding> =>
  [...files.values()].flatMap(inFile)
