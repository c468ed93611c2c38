// The page: a file in, the verdict of verify.js out. Nothing leaves the browser.
import { LARGEST, isPacked, verify, words } from "./verify.js";

const at = (id) => document.getElementById(id);
let file = null;

/** What a player typed in: see the page; throws a sentence where a line is none of that. */
function keptIn(text) {
  const kept = { heads: [], commits: [], own: [] };
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  for (const line of lines) {
    const parts = line.toLowerCase().split(/[\s:]+/);
    const value = parts.pop();
    const word = /^[a-z]+$/.test(parts[0]) ? parts.shift() : "version";
    const list = { version: kept.heads, commit: kept.commits, own: kept.own }[word];
    const right = list && parts.length === (word === "own" ? 2 : 1);
    if (!right || !parts.every((n) => /^\d{1,9}$/.test(n)) || !/^[0-9a-f]{64}$/.test(value)) {
      throw new Error(`This line is nothing that could be compared: ${line}`);
    }
    list.push([...parts.map(Number), value]);
  }
  return kept;
}

function show(verdict, because, known) {
  const titles = { valid: "Valid", invalid: "Invalid", incomplete: "Incomplete", wait: "Checking…", none: "Not checked" };
  at("answer").hidden = false;
  at("answer").className = verdict;
  at("verdict").textContent = titles[verdict];
  at("because").textContent = because;
  at("known").replaceChildren(
    ...known.map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      return item;
    }),
  );
}

/** The file's bytes, unpacked where it is gzipped. */
async function bytesOf(file) {
  if (file.size > LARGEST) throw new Error("The file is too large.");
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!isPacked(bytes)) return bytes;
  const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    if (size > LARGEST) throw new Error("The file is too large.");
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function check() {
  if (file === null) return;
  const mine = file;
  show("wait", mine.name, []);
  let kept;
  let bytes;
  try {
    kept = keptIn(at("kept").value);
    bytes = await bytesOf(mine);
  } catch (fault) {
    show("none", fault.message, []);
    return;
  }
  await new Promise((resume) => setTimeout(resume, 50)); // so that the page says what it does
  if (mine !== file) return;
  const report = verify(bytes, kept);
  const [first, ...known] = words(report);
  const because = first.replace(/^\w+ ?(at version)?:? ?/, (_, where) => (where ? "At version " : ""));
  show(report.verdict, `${mine.name}${because ? ` – ${because}` : ""}`, known);
  at("answer").focus();
}

function take(files) {
  if (files.length === 0) return;
  file = files[0];
  check();
}

at("file").addEventListener("change", (event) => take(event.target.files));
at("kept").addEventListener("change", check);
at("ask").addEventListener("submit", (event) => event.preventDefault());
addEventListener("dragover", (event) => {
  event.preventDefault();
  at("drop").classList.add("over");
});
addEventListener("dragleave", () => at("drop").classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  at("drop").classList.remove("over");
  take(event.dataTransfer.files);
});
