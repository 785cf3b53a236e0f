/** Owns the table of the routes of the marks on files. */
import { z } from 'zod'
import { FileDistrusted, FileMarks, FilePath, FileTrusted } from '../api-files.ts'
import { define } from './define.ts'

export const fileRoutes = {
  fileMarks: define(
    'get',
    '/v1/files/marks',
    'Files marked as untrusted, and those marked as trusted.',
    FileMarks,
    {
      query: z.object({ path: FilePath.shape.path.optional() }),
    },
  ),
  trustFile: define(
    'post',
    '/v1/files/trust',
    'Marks the current content of a file or folder as trusted.',
    FileTrusted,
    { body: FilePath },
  ),
  distrustFile: define('post', '/v1/files/distrust', 'Marks a file or folder as untrusted.', FileDistrusted, {
    body: FilePath,
  }),
}
