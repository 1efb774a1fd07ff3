// Prints the scenarios of the http-specs as JSON: what each expects to be asked, and what it answers. It only reads what the
// specs export; nothing is sent. Usage: node exchanges.mjs FOLDER, where FOLDER holds the mockapi.js files.
import { readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(process.argv[2]);
const baseUrl = "{baseUrl}";

function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return files(path);
    return entry.name === "mockapi.js" ? [path] : [];
  });
}

// expand gives values that depend on the server's address.
function expand(value) {
  if (typeof value === "function") return value({ baseUrl });
  if (Array.isArray(value)) return value.map(expand);
  if (value && typeof value === "object" && !Buffer.isBuffer(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expand(inner)]));
  }
  return value;
}

function bytes(content) {
  if (content === undefined || content === null) return "";
  if (Buffer.isBuffer(content)) return content.toString("base64");
  if (typeof content.serialize === "function") return Buffer.from(content.serialize({ baseUrl })).toString("base64");
  return Buffer.from(content).toString("base64");
}

function body(content) {
  if (!content) return undefined;
  if (content.kind === "multipart") {
    return {
      contentType: content.contentType,
      parts: expand(content.parts),
      files: (content.files ?? []).map((f) => ({ field: f.fieldname, name: f.originalname, type: f.mimetype, data: bytes(f.buffer) })),
    };
  }
  return { contentType: content.contentType, data: bytes(content.rawContent) };
}

const lists = (values) =>
  Object.fromEntries(Object.entries(expand(values) ?? {}).map(([name, v]) => [name, Array.isArray(v) ? v.map(String) : [String(v)]]));

const scenarios = [];
for (const file of files(root).sort()) {
  const spec = relative(root, dirname(file)).split("\\").join("/");
  for (const [name, scenario] of Object.entries((await import(pathToFileURL(file))).Scenarios)) {
    const exchanges = scenario.apis.map((api) => ({
      method: api.method.toUpperCase(),
      path: api.uri.replaceAll("\\", ""),
      query: lists(api.request?.query),
      header: lists(api.request?.headers),
      body: body(api.request?.body),
      status: api.response.status,
      answer: body(api.response.body),
    }));
    scenarios.push({ spec, name, exchanges });
  }
}
process.stdout.write(JSON.stringify(scenarios));
