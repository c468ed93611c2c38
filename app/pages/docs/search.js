// Search: looks through an index of all sections, fetched when the field is first used.

const index = document.currentScript.dataset.index;
const MOST = 12;
const SHOWN = 110; // characters of a section around the first word found

document.addEventListener("DOMContentLoaded", () => {
  const box = document.querySelector(".search");
  const field = box.querySelector("input");
  const list = box.querySelector("ul");
  const base = new URL(index, location.href);
  let sections = null;

  async function load() {
    if (sections !== null) return;
    sections = [];
    const answer = await fetch(base);
    if (answer.ok) sections = await answer.json();
    show();
  }

  function worth(section, words) {
    let sum = 0;
    for (const word of words) {
      const inTitle = section.title.toLowerCase().includes(word);
      const inPage = section.page.toLowerCase().includes(word);
      const inText = section.text.toLowerCase().includes(word);
      if (!inTitle && !inPage && !inText) return 0;
      sum += 8 * inTitle + 3 * inPage + inText;
    }
    return sum;
  }

  function around(text, word) {
    const at = Math.max(0, text.toLowerCase().indexOf(word) - SHOWN / 3);
    const cut = text.slice(at, at + SHOWN);
    return (at > 0 ? "…" : "") + cut + (at + SHOWN < text.length ? "…" : "");
  }

  function item(section, words) {
    const made = document.createElement("li");
    const link = document.createElement("a");
    link.href = new URL(section.to, base);
    const title = document.createElement("b");
    title.textContent = section.title === section.page ? section.page : `${section.page}: ${section.title}`;
    const text = document.createElement("span");
    text.textContent = around(section.text, words[0]);
    link.append(title, text);
    made.append(link);
    return made;
  }

  function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
    const found = words.length === 0 ? [] : sections
      .map((section) => [worth(section, words), section])
      .filter(([sum]) => sum > 0)
      .sort((one, other) => other[0] - one[0])
      .slice(0, MOST);
    list.replaceChildren(...found.map(([, section]) => item(section, words)));
  }

  field.addEventListener("focus", load);
  field.addEventListener("input", () => { if (sections !== null) show(); });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      field.value = "";
      list.replaceChildren();
    }
    if (event.key === "Enter") list.querySelector("a")?.click();
  });
  box.hidden = false;
});
