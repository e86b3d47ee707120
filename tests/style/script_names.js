// Prints the names that scripts give to values, import, export and use without a definition, as JSON. Node brings the parser.
const { readFileSync } = require("fs");
const { parse } = require("internal/deps/acorn/acorn/dist/acorn");
const { fullAncestor } = require("internal/deps/acorn/acorn-walk/dist/walk");

const SCOPE = /^(Program|BlockStatement|StaticBlock|For\w*Statement|SwitchStatement|CatchClause|Class\w*|(Arrow)?Function\w*)$/;
const FUNCTION = /^(Program|(Arrow)?Function\w*)$/;

function listNames(pattern) {
  if (!pattern) return [];
  if (pattern.type === "Identifier") return [pattern.name];
  const parts = { ObjectPattern: "properties", ArrayPattern: "elements", Property: "value", AssignmentPattern: "left" };
  return [pattern[parts[pattern.type] ?? "argument"]].flat().flatMap(listNames);
}

function listDeclarations(node) {
  if (node.type === "VariableDeclaration") return node.declarations.flatMap((each) => listNames(each.id));
  if (node.type === "ImportDeclaration") return node.specifiers.map((each) => each.local.name);
  return /^(Function|Class)Declaration$/.test(node.type) ? [node.id.name] : [];
}

function readScript(source) {
  const tree = parse(source, { ecmaVersion: "latest", sourceType: "module", locations: true });
  const [scopes, reads] = [new Map(), []];
  const script = { values: [], assigned: [], imported: [], exported: [], undefined: [] };
  const bind = (scope, names) => {
    scopes.set(scope, new Set([...(scopes.get(scope) ?? []), ...names]));
  };
  fullAncestor(tree, (node, state, ancestors) => {
    const around = ancestors.slice(0, node === ancestors.at(-1) ? -1 : undefined).reverse();
    const kind = node.kind === "var" ? FUNCTION : SCOPE;
    const declared = listDeclarations(node);
    if (declared.length) bind(around.find((each) => kind.test(each.type)), declared);
    const values = [...(node.params ?? []), node.type === "CatchClause" ? node.param : null].flatMap(listNames);
    bind(node, [...listNames(node.params && node.id), ...values]);
    script.values.push(...values, ...(node.type === "VariableDeclaration" ? declared : []));
    if (node.type === "Identifier") reads.push([node, around]);
    if (node.type === "ImportDeclaration") {
      script.imported.push(...node.specifiers.map((each) => [node.source.value, each.imported.name]));
    }
    if (node.type === "ExportNamedDeclaration") script.exported.push(...listDeclarations(node.declaration));
    if (node.type === "AssignmentExpression" && node.left.object?.name === "window") {
      script.assigned.push(node.left.property.name);
    }
  });
  for (const [{ name, loc }, around] of reads) {
    const isDefined = name in globalThis || around.some((each) => scopes.get(each)?.has(name));
    if (!isDefined) script.undefined.push([name, loc.start.line]);
  }
  return script;
}

const files = process.argv.slice(2);
console.log(JSON.stringify(Object.fromEntries(files.map((file) => [file, readScript(readFileSync(file, "utf8"))]))));
