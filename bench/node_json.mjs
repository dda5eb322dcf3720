// SPDX-License-Identifier: Apache-2.0
// The job in Node, in a process of its own. Commands come in as lines, answers go out as lines:
//   load FILE JOB | time COUNT | output FILE
// and, as arguments, `peak FILE JOB` for the memory of one run in a fresh process.
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const decoder = new TextDecoder('utf-8', { fatal: true })
let message
let job

function shape() {
  const result = JSON.parse(decoder.decode(message))
  if (job === 'parse') return null
  const data = job === 'shape_text' ? JSON.parse(result.content[0].text) : result.structuredContent
  const envelope = { success: true, data, error: null, meta: { version: 'response-v2' } }
  return Buffer.from(JSON.stringify({ content: [], structuredContent: envelope, isError: false }))
}

// All threads of the process: the collector's share is part of the price.
function microseconds() {
  const usage = process.cpuUsage()
  return usage.user + usage.system
}

function load(file, name) {
  message = readFileSync(file)
  job = name
}

if (process.argv[2] === 'peak') {
  load(process.argv[3], process.argv[4])
  const before = process.memoryUsage.rss()
  shape()
  console.log(Math.max(0, process.resourceUsage().maxRSS * 1024 - before))
} else {
  for await (const line of createInterface({ input: process.stdin })) {
    const [command, first, second] = line.split(' ')
    if (command === 'load') {
      load(first, second)
      console.log('ok')
    } else if (command === 'time') {
      const count = Number(first)
      const start = microseconds()
      for (let i = 0; i < count; ++i) shape()
      console.log((microseconds() - start) / 1e6 / count)
    } else {
      writeFileSync(first, shape())
      console.log('ok')
    }
  }
}
