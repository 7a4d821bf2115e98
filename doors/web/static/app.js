// What the pages do beyond links and forms: the viewer's clock, keys, the graph, the curves, and what becomes of a page
// whose namespace is erased while it is open.
"use strict";

const zone = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function clockOf(iso, minutes) {
  const there = new Date(Date.parse(iso) + minutes * 60000).toISOString();
  const sign = minutes < 0 ? "−" : "+";
  const size = Math.abs(minutes);
  const two = (n) => String(n).padStart(2, "0");
  return `${there.slice(0, 10)} ${there.slice(11, 16)} (UTC${sign}${two(Math.floor(size / 60))}:${two(size % 60)})`;
}

// Times stand in the page in UTC; here they are said in the viewer's zone, with the speaker's own clock beside it.
function sayTimes(root) {
  for (const time of root.querySelectorAll("time[datetime]:not(.told):not([data-said])")) {
    const at = new Date(time.dateTime);
    const utc = time.textContent;
    time.dataset.said = "yes";
    time.textContent = zone.format(at);
    const offset = Number(time.dataset.offset);
    const differs = time.dataset.offset && offset !== -at.getTimezoneOffset();
    time.title = differs ? `${clockOf(time.dateTime, offset)} for who said it; ${utc}` : utc;
    if (differs) time.append(` · ${clockOf(time.dateTime, offset).slice(11)}`);
  }
}

function styleOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function drawGraph(place) {
  const data = JSON.parse(place.dataset.graph);
  const graph = cytoscape({
    container: place,
    elements: data,
    layout: { name: "concentric", concentric: (node) => (node.data("centre") ? 2 : 1), levelWidth: () => 1, minNodeSpacing: 60, animate: false },
    style: [
      { selector: "node", style: { label: "data(label)", color: styleOf("--ink"), "font-size": 13, "background-color": styleOf("--accent"), width: 22, height: 22, "text-valign": "bottom", "text-margin-y": 5, "text-wrap": "ellipsis", "text-max-width": 150 } },
      { selector: "node[?centre]", style: { width: 34, height: 34, "font-weight": 700 } },
      { selector: "edge", style: { label: "data(label)", color: styleOf("--soft"), "font-size": 11, "line-color": styleOf("--line"), width: 2, "target-arrow-color": styleOf("--line"), "target-arrow-shape": "triangle", "curve-style": "bezier", "text-background-color": styleOf("--card"), "text-background-opacity": 0.9, "text-background-padding": 2 } },
    ],
    minZoom: 0.3,
    maxZoom: 2.5,
  });
  graph.on("tap", "node", (event) => { window.location = event.target.data("url"); });
}

function drawCurve(place) {
  const [times, ...strengths] = JSON.parse(place.dataset.curve);
  const names = JSON.parse(place.dataset.names);
  const axis = { stroke: styleOf("--soft"), grid: { stroke: styleOf("--line") }, ticks: { stroke: styleOf("--line") } };
  const colours = ["--accent", "--good", "--warn", "--bad", "--soft"];
  new uPlot({
    width: Math.max(280, place.clientWidth),
    height: 220,
    scales: { y: { range: [0, 1] } },
    axes: [axis, { ...axis, label: "strength", stroke: styleOf("--soft") }],
    series: [{}, ...strengths.map((_, at) => ({ label: names[at], stroke: styleOf(colours[at % colours.length]), width: 2 }))],
  }, [times, ...strengths], place);
}

// Two sliders choose the moments "true at" and "known at"; the page asks for what held and was known then.
function bindSliders(root) {
  for (const slider of root.querySelectorAll("input[type=range][data-into]:not([data-bound])")) {
    slider.dataset.bound = "yes";
    const field = document.getElementById(slider.dataset.into);
    const shown = document.getElementById(slider.dataset.shown);
    const say = () => {
      const at = new Date(Number(slider.value) * 1000);
      const newest = slider.value === slider.max;
      field.value = newest ? "" : at.toISOString();
      shown.textContent = newest ? "now" : zone.format(at);
      slider.setAttribute("aria-valuetext", shown.textContent);
    };
    slider.addEventListener("input", say);
    say();
  }
}

function prepare(root) {
  sayTimes(root);
  bindSliders(root);
  root.querySelectorAll("[data-graph]").forEach(drawGraph);
  root.querySelectorAll("[data-curve]").forEach(drawCurve);
}

let pressed = "";
function onKey(event) {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key;
  if (pressed === "g") {
    pressed = "";
    const area = document.querySelector(`nav.areas a[data-key="${CSS.escape(key)}"]`);
    if (area) { area.click(); event.preventDefault(); }
    return;
  }
  if (key === "g") { pressed = "g"; setTimeout(() => { pressed = ""; }, 1500); return; }
  if (key === "/") { const ask = document.getElementById("ask"); if (ask) { ask.focus(); event.preventDefault(); } return; }
  if (key === "?") { document.getElementById("keys").showModal(); return; }
  if (key === "j" || key === "k") {
    const links = [...document.querySelectorAll("[data-entry] a:first-of-type")];
    const now = links.indexOf(document.activeElement);
    const next = links[key === "j" ? now + 1 : Math.max(0, now - 1)];
    if (next) { next.focus(); next.scrollIntoView({ block: "nearest" }); }
  }
}

document.addEventListener("keydown", onKey);
document.addEventListener("DOMContentLoaded", () => prepare(document));
document.addEventListener("htmx:afterSwap", (event) => prepare(event.detail.target));
// A namespace that is erased leaves nothing on a page that was open.
document.addEventListener("htmx:sseMessage", (event) => {
  if (event.detail.type !== "erased") return;
  const notice = document.createElement("main");
  notice.className = "gone";
  notice.setAttribute("role", "alert");
  notice.textContent = "This namespace was erased. Nothing of it is left to show.";
  document.title = "Erased · Reverie";
  document.body.replaceChildren(notice);
});
