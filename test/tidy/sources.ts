import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Every file that git tracks or would track, with its text. */
const listTracked = (...patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\0')
    .filter(path => path !== '')

export interface Source {
  readonly path: string
  readonly text: string
}

const readSource = (path: string): ReadonlyArray<Source> => {
  try {
    return [{ path, text: readFileSync(`${root}/${path}`, 'utf8') }]
  } catch {
    return []
  }
}

/** The TypeScript of the project, tests included. */
export const sources: ReadonlyArray<Source> = listTracked('*.ts').flatMap(readSource)

/** Paths of the JSON of the project. */
export const jsonFiles: ReadonlyArray<string> = listTracked('*.json')

export const documents: ReadonlyArray<Source> = listTracked('*.md').flatMap(readSource)

export const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.startsWith('test/')

export interface Import {
  readonly from: string
  readonly specifier: string
  /** The path inside the project, or null for a package. */
  readonly target: string | null
}

const aliases = /^#(protocol|src|actors|supervisors|test)\/(.+)\.js$/

const resolveImport = (from: string, specifier: string): string | null => {
  const alias = aliases.exec(specifier)
  if (alias !== null) return `${alias[1] ?? ''}/${alias[2] ?? ''}.ts`
  if (!specifier.startsWith('.')) return null
  const parts = from.split('/').slice(0, -1)
  for (const part of specifier.replace(/\.js$/, '.ts').split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}

const importPattern =
  /^\s*(?:import|export)\s[^'"]*?from '([^']+)'|^\s*import '([^']+)'|\bimport\('([^']+)'\)/gm

export const importsOf = ({ path, text }: Source): ReadonlyArray<Import> =>
  [...text.matchAll(importPattern)].map(found => {
    const specifier = found[1] ?? found[2] ?? found[3] ?? ''
    return { from: path, specifier, target: resolveImport(path, specifier) }
  })
