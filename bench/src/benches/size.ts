/** What the package takes on disk once it is installed, with everything it depends on and without Node itself. */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, BenchOptions, BenchResult } from '../bench.ts'
import { openProduct } from '../product.ts'
import { rounded } from '../sample.ts'

export const size: Bench = {
  name: 'size',
  about: 'the packed package, installed into an empty folder',
  run: measure,
}

async function measure({ note }: BenchOptions): Promise<BenchResult> {
  const product = await openProduct()
  try {
    if (!product.installed)
      throw new Error('There is no built package in dist/countersign, and no build script.')
    const installed = megabytesOn(product.installed.folder)
    const archive = megabytesOn(product.installed.archive)
    note(`size: ${rounded(installed)} MB installed from an archive of ${rounded(archive)} MB`)
    return {
      figures: { installedMegabytes: rounded(installed), archiveMegabytes: rounded(archive) },
      goals: [{ name: 'installedMegabytes', value: installed, kind: 'size', limit: { atMost: 250 } }],
    }
  } finally {
    product.close()
  }
}

/** Blocks that are really taken, as `du` counts them. */
function megabytesOn(path: string): number {
  const entry = lstatSync(path)
  const own = (entry.blocks * 512) / 1_000_000
  if (!entry.isDirectory()) return own
  return readdirSync(path).reduce((sum, name) => sum + megabytesOn(join(path, name)), own)
}
