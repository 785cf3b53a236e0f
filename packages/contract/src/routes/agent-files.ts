/** Owns the table of the routes of the files that agents are told. */
import { z } from 'zod'
import {
  AcceptToldFile,
  ToldFile,
  ToldFileAccepted,
  ToldFileContent,
  ToldFilePath,
  ToldFileRemoved,
} from '../api-agent-files.ts'
import { define } from './define.ts'

const at = { query: z.object({ path: ToldFilePath }) }

export const agentFileRoutes = {
  toldFiles: define(
    'get',
    '/v1/agent-files',
    'Files of the workspace that agents are told, each with whether it is told now.',
    z.array(ToldFile),
  ),
  toldFileContent: define(
    'get',
    '/v1/agent-files/content',
    'A file as it would be told, with the hash to accept it by.',
    ToldFileContent,
    at,
  ),
  acceptToldFile: define(
    'put',
    '/v1/agent-files',
    'Has agents be told a file, as long as it says what was accepted.',
    ToldFileAccepted,
    { body: AcceptToldFile },
  ),
  removeToldFile: define(
    'delete',
    '/v1/agent-files',
    'Stops telling a file to agents. The file stays.',
    ToldFileRemoved,
    at,
  ),
}
