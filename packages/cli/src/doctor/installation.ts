/** Looks at what stands around the program: its service, its web pages, and the completion of the shell. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bad, type DoctorFinding, hint, ok, warning } from '@countersign/contract/doctor'
import { completionFiles } from '../completion-files.ts'
import type { Environment } from '../environment.ts'
import { startedBy } from '../service/plan.ts'
import type { ServicePaths } from '../service/service-paths.ts'
import { shimProgram } from '../service/shim.ts'

const installAgain = 'Run `countersign service install` again.'

/** A service file that starts what is no longer there would fail at the next login, when nobody looks. */
export function service(place: ServicePaths | undefined, program: string): DoctorFinding {
  if (place === undefined) return ok('service', 'this system has no supported service manager')
  if (!existsSync(place.file)) return ok('service', 'not installed')
  const started = startedBy(place, readFileSync(place.file, 'utf8'))
  if (started === undefined) return bad('service', `${place.file} starts no program`, installAgain)
  if (!existsSync(started))
    return bad('service', `${place.file} starts ${started}, which does not exist`, installAgain)
  const first = shimProgram(readFileSync(started, 'utf8'))
  if (first === undefined)
    return warning('service', `${place.file} starts ${started}, which is not the shim`, installAgain)
  if (!existsSync(first))
    return bad('service', `${started} looks for ${first}, which does not exist`, installAgain)
  if (first !== program)
    return warning('service', `it starts ${first}, but this command is ${program}`, installAgain)
  return ok('service', place.file)
}

/** Beside the gateway in the package; in the repository where they are built. */
export function webPages(gateway: string): DoctorFinding {
  const here = dirname(gateway)
  const places = [join(here, 'web'), join(here, '..', '..', 'web', 'dist')]
  const found = places.find((folder) => existsSync(join(folder, 'index.html')))
  return found === undefined
    ? warning(
        'web',
        `no pages in ${places[0]}`,
        'Reinstall the package; without the pages only the command line works.',
      )
    : ok('web', found)
}

export function completionInstalled(environment: Environment): DoctorFinding {
  const files = completionFiles(environment)
  const found = files.filter(({ path }) => existsSync(path)).map(({ path }) => path)
  if (found.length > 0) return ok('completion', found.join(', '))
  const own = files.find(({ shell }) => shell === environment.shell)
  if (own === undefined) return ok('completion', 'not available for this shell')
  if (
    own.startFiles.some(
      (path) => existsSync(path) && readFileSync(path, 'utf8').includes('countersign completion'),
    )
  )
    return ok('completion', `loaded when you start ${own.shell}`)
  return hint(
    'completion',
    `not installed for ${own.shell}`,
    `mkdir -p ${dirname(own.path)} && countersign completion ${own.shell} > ${own.path}`,
  )
}
