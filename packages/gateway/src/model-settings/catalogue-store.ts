/**
 * Owns the catalogue in use: the data that came with the program, or newer data in a file that the operator had fetched,
 * with the operator's changes on top. A file that is not the one that was recorded is not read.
 */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type CatalogueView, CountersignError } from '@countersign/contract'
import { replaceFile, sha256Hex } from '@countersign/contract/node'
import { type Catalogue, CatalogueData, createCatalogue, vendoredData } from '@countersign/models'
import type { ModelChoices, StoredCatalogue } from './model-choices.ts'

export interface CatalogueStoreParts {
  readonly folder: string
  readonly clock: () => Date
  readonly onProblem: (problem: unknown) => void
}

export interface CatalogueStore {
  /** For these choices. Made once for each change of them. */
  open(choices: ModelChoices): Promise<LoadedCatalogue>
  /** Keeps newer data in a file; what is returned names it. */
  keep(data: CatalogueData): StoredCatalogue
  /** After another one took its place. */
  forget(kept: StoredCatalogue): Promise<void>
}

export interface LoadedCatalogue {
  readonly data: CatalogueData
  readonly catalogue: Catalogue
  readonly view: CatalogueView
}

export function createCatalogueStore({ folder, clock, onProblem }: CatalogueStoreParts): CatalogueStore {
  const pathOf = (hash: string) => join(folder, `model-catalogue-${hash.slice(0, 32)}.json`)
  let opened: { readonly choices: ModelChoices; readonly catalogue: Promise<LoadedCatalogue> } | undefined
  let loaded: { readonly hash: string; readonly data: CatalogueData } | undefined

  async function dataOf({ hash }: StoredCatalogue): Promise<CatalogueData | undefined> {
    if (loaded?.hash === hash) return loaded.data
    try {
      const text = await readFile(pathOf(hash), 'utf8')
      if (sha256Hex(text) !== hash) throw new Error('The file differs from the one that was fetched.')
      loaded = { hash, data: CatalogueData.parse(JSON.parse(text)) }
      return loaded.data
    } catch (cause) {
      onProblem(
        new CountersignError(
          'config_invalid',
          `${pathOf(hash)} cannot be used, so the shipped prices apply.`,
          { cause, next: 'Fetch them again with `countersign model refresh`.' },
        ),
      )
      return undefined
    }
  }

  async function make(choices: ModelChoices): Promise<LoadedCatalogue> {
    const fetched = choices.catalogue && (await dataOf(choices.catalogue))
    const data = fetched ?? (await vendoredData())
    const catalogue = createCatalogue({ data, overrides: choices.overrides, now: clock })
    return { data, catalogue, view: { ...catalogue.view, refreshed: fetched != null } }
  }

  return {
    open(choices) {
      if (opened?.choices !== choices) opened = { choices, catalogue: make(choices) }
      return opened.catalogue
    },
    keep(data) {
      const text = JSON.stringify(data)
      const hash = sha256Hex(text)
      replaceFile(pathOf(hash), text)
      return { hash, source: data.source, date: data.date }
    },
    forget: ({ hash }) => rm(pathOf(hash), { force: true }),
  }
}
