// SPDX-License-Identifier: Apache-2.0
// Builds the page: index.html, app.js, app.css, icon.svg, and picture.html, which holds all it needs. Also writes
// bundled.json: the npm packages whose code is in the page, for licences and SBOM.
//   npm run build -- [--outdir DIR] [--embed FILE.cc]
// --embed also writes the files as C++ source for src/enfold/gateway/admin/web_files.h.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'app.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'picture.html': 'text/html; charset=utf-8',
};
const PLACE_OF_VIEW = '<!--ENFOLD_VIEW-->';

function option(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
}

async function bundle(entry) {
  const result = await build({
    absWorkingDir: here, entryPoints: [entry], bundle: true, minify: true, write: false, outdir: 'out',
    format: 'esm', metafile: true, target: ['chrome123', 'firefox120', 'safari17.5'], legalComments: 'none',
    jsx: 'automatic', jsxImportSource: 'preact', charset: 'utf8', logLevel: 'warning',
  });
  const text = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
  return { script: text('.js'), style: text('.css'), inputs: Object.keys(result.metafile.inputs) };
}

// Of the inputs of a bundle, which are paths below web/.
function packagesOf(inputs) {
  const names = inputs.map((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]).filter(Boolean);
  return [...new Set(names)].sort().map((name) => {
    const { version, license } = JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8'));
    return { name, version, license };
  });
}

const source = (name) => readFileSync(join(here, 'src', name), 'utf8');
const sha256 = (text) => createHash('sha256').update(text).digest('base64');

// Script and style are in the file, and its own policy allows these two and nothing else.
function picture(template, { script, style }) {
  const inline = script.replaceAll('</script', '<\\/script');
  const policy = `default-src 'none'; img-src data:; script-src 'sha256-${sha256(inline)}'; ` +
    `style-src 'sha256-${sha256(style)}'; base-uri 'none'; form-action 'none'`;
  const parts = { POLICY: policy, STYLE: style, SCRIPT: inline };
  const page = template.replace(/\{\{(POLICY|STYLE|SCRIPT)\}\}/g, (_, name) => parts[name]);
  if (page.split(PLACE_OF_VIEW).length !== 2) throw new Error(`expected ${PLACE_OF_VIEW} once in picture.html`);
  return page;
}

function escaped(bytes) {
  let out = '';
  for (let at = 0; at < bytes.length; at += 64) {
    let line = '';
    for (const byte of bytes.subarray(at, at + 64)) {
      const letter = String.fromCharCode(byte);
      line += /[A-Za-z0-9 .,;:(){}<>=+*\/_-]/.test(letter) ? letter : '\\' + byte.toString(8).padStart(3, '0');
    }
    out += `\n    "${line}"`;
  }
  return out;
}

function embedded(files) {
  let text = '// Written by web/build.mjs.\n#include "enfold/gateway/admin/web_files.h"\n\nnamespace enfold::gateway {\nnamespace {\n';
  const rows = [];
  Object.entries(files).forEach(([path, content], index) => {
    const plain = Buffer.from(content);
    const gzip = gzipSync(plain, { level: 9 });
    const etag = createHash('sha256').update(plain).digest('hex').slice(0, 20);
    text += `constexpr char kPlain${index}[] = ""${escaped(plain)};\nconstexpr char kGzip${index}[] =${escaped(gzip)};\n`;
    rows.push(`      {"${path}", "${TYPES[path]}", "\\"${etag}\\"", std::as_bytes(std::span(kGzip${index}, ${gzip.length})), ` +
      `{kPlain${index}, ${plain.length}}},\n`);
  });
  return text + '}  // namespace\n\nstd::span<const WebFile> web_files() {\n  static const WebFile files[] = {\n' +
    rows.join('') + '  };\n  return files;\n}\n\n}  // namespace enfold::gateway\n';
}

const app = await bundle('src/app.tsx');
const offline = await bundle('src/picture.tsx');
const files = {
  'index.html': source('index.html'),
  'app.js': app.script,
  'app.css': app.style,
  'icon.svg': source('icon.svg'),
  'picture.html': picture(source('picture.html'), offline),
};
const folder = resolve(here, option('outdir', 'dist'));
mkdirSync(folder, { recursive: true });
let total = 0;
for (const [name, content] of Object.entries(files)) {
  writeFileSync(join(folder, name), content);
  total += gzipSync(content, { level: 9 }).length;
}
const bundled = packagesOf([...app.inputs, ...offline.inputs]);
writeFileSync(join(folder, 'bundled.json'), JSON.stringify(bundled, null, 1) + '\n');
const embed = option('embed', '');
if (embed) writeFileSync(resolve(here, embed), embedded(files));
console.log(`${folder}: ${Object.keys(files).length} files, ${(total / 1024).toFixed(1)} KB compressed`);
