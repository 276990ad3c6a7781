import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A call site; V8 formats it as a line of a stack. */
interface Frame extends NodeJS.CallSite {
  readonly toString: () => string
}

const isMap = (value: unknown): value is SourceMapPayload =>
  typeof value === 'object' && value !== null && 'sources' in value && 'mappings' in value

/** The map of a built file, from the file beside it; null where there is none, as for modules of node. */
const readMap = (file: string): SourceMap | null => {
  try {
    const found: unknown = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
    return isMap(found) ? new SourceMap(found) : null
  } catch {
    return null
  }
}

const pathOf = (fileName: string): string =>
  fileName.startsWith('file:') ? fileURLToPath(fileName) : fileName

/** Formats the frames of a stack as V8 does, with the positions of the sources where a map knows them. */
export const sourceFrames = (): ((frames: ReadonlyArray<Frame>) => string) => {
  const maps = new Map<string, SourceMap | null>()
  const mapOf = (file: string): SourceMap | null => {
    const known = maps.get(file)
    if (known !== undefined) return known
    const map = readMap(file)
    maps.set(file, map)
    return map
  }
  const textOf = (frame: Frame): string => {
    const [name, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()]
    if (typeof name !== 'string' || line === null || column === null) return frame.toString()
    const file = pathOf(name)
    const entry = mapOf(file)?.findEntry(line - 1, column - 1)
    if (entry === undefined || !('originalSource' in entry)) return frame.toString()
    const source = resolve(dirname(file), entry.originalSource)
    return frame
      .toString()
      .replace(
        `${name}:${line}:${column}`,
        () => `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`,
      )
  }
  return frames => frames.map(frame => `\n    at ${textOf(frame)}`).join('')
}

/**
 * Makes stack traces of this thread name the sources. A map is read with the first stack that needs it: node's
 * own support reads the maps of all files when they are loaded, about a tenth of the processor time of a start. Does
 * nothing where that support is on, as for a program that runs from its sources.
 */
export const nameSources = (): void => {
  if (process.sourceMapsEnabled) return
  const format = sourceFrames()
  Error.prepareStackTrace = (error, frames) => `${Error.prototype.toString.call(error)}${format(frames)}`
}
