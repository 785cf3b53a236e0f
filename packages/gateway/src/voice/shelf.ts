/**
 * Owns the catalogue in use: the data that came with the program, or newer data in a file that the operator had fetched,
 * with the operator's changes on top. A file that is not the one that was recorded is not read.
 */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type CatalogueView, CountersignError } from '@countersign/contract'
import { replaceFile, sha256Hex } from '@countersign/contract/node'
import { type Catalogue, CatalogueData, createCatalogue, vendoredData } from '@countersign/models'
import type { Chosen, KeptCatalogue } from './chosen.ts'

export interface ShelfParts {
  readonly folder: string
  readonly clock: () => Date
  readonly onProblem: (problem: unknown) => void
}

export interface Shelf {
  /** For these choices. Made once for each change of them. */
  open(chosen: Chosen): Promise<OpenShelf>
  /** Keeps newer data in a file; what is returned names it. */
  keep(data: CatalogueData): KeptCatalogue
  /** After another one took its place. */
  forget(kept: KeptCatalogue): Promise<void>
}

export interface OpenShelf {
  readonly data: CatalogueData
  readonly catalogue: Catalogue
  readonly view: CatalogueView
}

export function createShelf({ folder, clock, onProblem }: ShelfParts): Shelf {
  const pathOf = (hash: string) => join(folder, `model-catalogue-${hash.slice(0, 32)}.json`)
  let opened: { readonly chosen: Chosen; readonly shelf: Promise<OpenShelf> } | undefined
  let loaded: { readonly hash: string; readonly data: CatalogueData } | undefined

  async function dataOf({ hash }: KeptCatalogue): Promise<CatalogueData | undefined> {
    if (loaded?.hash === hash) return loaded.data
    try {
      const text = await readFile(pathOf(hash), 'utf8')
      if (sha256Hex(text) !== hash) throw new Error('The file is not the one that was fetched.')
      loaded = { hash, data: CatalogueData.parse(JSON.parse(text)) }
      return loaded.data
    } catch (cause) {
      onProblem(
        new CountersignError(
          'config_invalid',
          `${pathOf(hash)} cannot be used, so the prices that came with the program count.`,
          { cause, next: 'Fetch them again with `countersign model refresh`.' },
        ),
      )
      return undefined
    }
  }

  async function make(chosen: Chosen): Promise<OpenShelf> {
    const fetched = chosen.catalogue && (await dataOf(chosen.catalogue))
    const data = fetched ?? (await vendoredData())
    const catalogue = createCatalogue({ data, overrides: chosen.overrides, now: clock })
    return { data, catalogue, view: { ...catalogue.view, refreshed: fetched != null } }
  }

  return {
    open(chosen) {
      if (opened?.chosen !== chosen) opened = { chosen, shelf: make(chosen) }
      return opened.shelf
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
