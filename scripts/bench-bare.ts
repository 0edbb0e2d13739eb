/** A bare Elysia server with one prepared SQLite read per request: the yardstick of the bench. */
import { Elysia } from 'elysia'
import { openRaw } from '../src/db/sqlite.ts'

const [database = '', port = '0'] = process.argv.slice(2)
const read = openRaw(database, { reader: true }).prepare('SELECT * FROM documents WHERE id = ?')
new Elysia().get('/documents/:id', ({ params }) => read.get(params.id)).listen({ port: Number(port), hostname: '127.0.0.1' })
console.log('ready')
