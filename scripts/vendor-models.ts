/**
 * Owns the model data that comes with the program. Takes two packages off the npm registry, pinned to a version, checks
 * them against what the registry states, and writes their data as a module with one model on each line. No code of
 * the packages is run.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CatalogueData } from '../packages/models/src/catalogue/data.ts'
import { type FetchedPackage, integrityOf } from '../packages/models/src/catalogue/registry.ts'
import { makeData, sourcePackages } from '../packages/models/src/catalogue/vendor.ts'
import { repository } from './workspace.ts'

const versions = { piAi: '1.5.0', genaiPrices: '0.1.8' }
const file = 'packages/models/src/catalogue/data/models.ts'

/** The text of the module that holds the data. */
export function moduleOf(data: CatalogueData): string {
  const credits = data.sources.map(
    (source) => ` * - ${source.package} ${source.version} of ${source.date}, licence ${source.licence}`,
  )
  const { models, ...head } = data
  const quoted = (json: string) => json.replaceAll('`', '\\u0060').replaceAll('$', '\\u0024')
  return `/**
 * What is published about ${models.length} models. Made by \`node scripts/vendor-models.ts\`; do not change it by hand.
 *
 * The facts and prices are taken from these packages, with thanks to those who keep them:
 *
${credits.join('\n')}
 */

/** One model on each line, so that it can be seen what changed. As text: as a literal it is too much for a compiler. */
export const head = String.raw\`${quoted(JSON.stringify(head))}\`
export const lines = String.raw\`
${models.map((model) => quoted(JSON.stringify(model))).join('\n')}
\`
`
}

function pack(name: string, version: string): FetchedPackage {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-models-'))
  try {
    const registry = (field: string) =>
      execFileSync('npm', ['view', `${name}@${version}`, field, '--json'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    const integrity: unknown = JSON.parse(registry('dist.integrity'))
    const licence: unknown = JSON.parse(registry('license'))
    const times: Record<string, unknown> = JSON.parse(registry('time'))
    const time = times[version]
    if (typeof integrity !== 'string' || typeof licence !== 'string' || typeof time !== 'string') {
      throw new Error(`The registry does not say enough about ${name} ${version}.`)
    }
    execFileSync('npm', [
      'pack',
      `${name}@${version}`,
      '--ignore-scripts',
      '--silent',
      '--pack-destination',
      folder,
    ])
    const tarball = readFileSync(join(folder, readdirSync(folder)[0] ?? ''))
    if (integrityOf(tarball) !== integrity)
      throw new Error(`${name} ${version} is not what the registry states.`)
    return { name, version, date: time.slice(0, 10), licence, integrity, tarball }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function vendor(): void {
  const piAi = pack(sourcePackages.piAi, versions.piAi)
  const genaiPrices = pack(sourcePackages.genaiPrices, versions.genaiPrices)
  const day = piAi.date > genaiPrices.date ? piAi.date : genaiPrices.date
  const made = makeData({ piAi, genaiPrices }, day)
  if (made.kind === 'refused') throw new Error(made.message)
  const text = moduleOf(made.data)
  writeFileSync(join(repository, file), text)
  const { models } = made.data
  console.log(`${file}: ${models.length} models, ${text.length} bytes.`)
  console.log(`${made.compared} prices are known from both sources. By more than 1 % these differ:`)
  for (const { model, piAi: one, genaiPrices: other } of made.differences) {
    console.log(`  ${model}: pi-ai ${one.input}/${one.output}, genai-prices ${other.input}/${other.output}`)
  }
}

if (import.meta.main) vendor()
