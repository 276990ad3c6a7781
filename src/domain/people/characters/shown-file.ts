import type { View } from '#src/domain/callers/caller.js'
import type { CharacterFile } from './character-file.js'

/** A character file as a caller may see it. */
export const fileFor = (view: View, file: CharacterFile | null): CharacterFile | null =>
  view.mayReadRestricted ? file : (file?.open ?? file)
