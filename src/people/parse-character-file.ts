import { nameKey } from '#protocol/atoms/name.js'
import type { SourceFile } from '#src/lore/source-file.js'
import type { CharacterFile } from './character-file.js'

export const parseCharacterFile = (file: SourceFile): CharacterFile => {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1).replace(/\.md$/u, '')
  return {
    name,
    key: nameKey(name),
    path: file.path,
    sheet: null,
    restrictedTopics: null,
    condition: null,
    specialItems: [],
    reputation: { positive: [], neutral: [], negative: [] },
    additionalInfo: [],
    describedSessions: [],
    findings: [],
  }
}
