/** Owns the table of the routes by which the operator keeps programs. What programs themselves may ask is elsewhere. */
import { z } from 'zod'
import { Receipt } from '../api.ts'
import {
  AddProgram,
  ChangeProgram,
  KnownProgram,
  ProgramChanged,
  ProgramName,
  ProgramToken,
} from '../api-programs.ts'
import { define } from './define.ts'

const named = { params: z.object({ name: ProgramName }) }

export const programRoutes = {
  programs: define(
    'get',
    '/v1/programs',
    'Programs that may ask by a token, and their limits.',
    z.array(KnownProgram),
  ),
  addProgram: define(
    'post',
    '/v1/programs',
    'Adds a program. The reply holds its token, which is never told again.',
    ProgramToken,
    { body: AddProgram },
  ),
  changeProgram: define(
    'patch',
    '/v1/programs/{name}',
    'Changes the limits of a program, or pauses it. A pause ends what it began.',
    ProgramChanged,
    { ...named, body: ChangeProgram },
  ),
  rotateProgram: define(
    'post',
    '/v1/programs/{name}/rotate',
    'Gives a program another token. The one before is worth nothing from now on.',
    ProgramToken,
    named,
  ),
  revokeProgram: define(
    'delete',
    '/v1/programs/{name}',
    'Removes a program and ends what it began.',
    Receipt,
    named,
  ),
}
