/* The Cortex-M0+ instruction set (ARMv6-M), as far as it needs no exception: what is left - exception return, SVC, BKPT,
 * WFI, WFE, SEV, most special registers, peripherals in Python - ends the run before that instruction (EXIT_SLOW) and
 * rp2040py's own core executes it. Cycle counts are rp2040py's, so emulated time is the same on both cores.
 *
 * Flags are kept as the values they come from: N is bit 31 of `nr`, Z is `zr` == 0, V is bit 31 of `vr`.
 * The program counter is a host pointer into the memory it runs from; only branches look the memory up again.
 */

/* A load from what is not plain memory for the CPU: returns its cycles, 0 when rp2040py must do it. */
static int cpu_load_slow(Machine *m, uint32_t address, int size, uint32_t *value) {
    uint32_t word, x = address - FLASH_BASE;
    m->poll_read = 0;
    if (address & (uint32_t)(size - 1)) return 0;
    if (x < XIP_SPAN) {
        if (ssi_xip_ready(m)) {
            *value = 0;
            memcpy(value, m->flash + (x & (FLASH_WINDOW - 1)), (size_t)size);
            return 2;
        }
        m->call.hazard(m->context, "a load from flash", address, -1);
        return 0;
    }
    if (address < ROM_SIZE) {
        *value = 0;
        memcpy(value, m->rom + address, (size_t)size);
        m->poll_read = 1; /* memory: a loop may read it for ever without an effect */
        return 2;
    }
    if ((x = address - DPRAM_BASE) < DPRAM_SIZE) {
        *value = 0;
        memcpy(value, m->dpram + x, (size_t)size);
        return 2;
    }
    if (!mmio_read(m, address & ~3u, &word)) return 0;
    *value = narrow(word, address, size);
    return address >= SIO_BASE ? 1 : (address >> 28) == 4 ? 4 : 2;
}

static int cpu_store_slow(Machine *m, uint32_t address, int size, uint32_t value) {
    uint32_t x = address - DPRAM_BASE;
    if (address & (uint32_t)(size - 1)) return 0;
    if (x < DPRAM_SIZE) {
        if (x >= 0x80 && x < 0x100) return 0; /* buffer control: starts a transfer */
        memcpy(m->dpram + x, &value, (size_t)size);
        return 2;
    }
    if (address - FLASH_BASE < XIP_SPAN && !ssi_xip_ready(m)) {
        m->call.hazard(m->context, "a store to flash", address, -1);
        return 0;
    }
    if (size != 4 && address >= SIO_BASE) return 0;
    if (!mmio_write(m, address & ~3u, widen(value, size))) return 0;
    return address >= SIO_BASE ? 1 : (address >> 28) == 4 ? 5 : 2;
}

static void cpu_run(Machine *m, int64_t horizon) {
    uint32_t *const r = m->r;
    uint8_t *const sram = m->sram;
    const uint8_t *const flash = m->flash;
    uint32_t nr = m->n ? 0x80000000u : 0, zr = !m->z, c = m->c ? 1 : 0, vr = m->v ? 0x80000000u : 0;
    int64_t cyc = m->cycle;
    const uint8_t *ip = NULL, *begin = NULL;
    size_t length = 0;
    uintptr_t bias = 0;
    uint32_t op, pc, a, x, t;
    /* the slow load or store that an instruction left its fast path for */
    uint32_t slow_reg = 0;
    int slow_kind = 0, k;
    /* a polling loop: see `polled` below */
    uint32_t effects = 0, poll_pc = 1, poll_effects = 0, poll_flags = 0, poll_r[15];
    int64_t poll_cyc = 0;

#define R1(first, label) [first] = &&label
#define R4(first, label) [first ... (first) + 3] = &&label
#define R8(first, label) [first ... (first) + 7] = &&label
#define R32(first, label) [first ... (first) + 31] = &&label
    static const void *const table[1024] = {
        [0 ... 1023] = &&slow,
        R32(0x000, lsl_imm), R32(0x020, lsr_imm), R32(0x040, asr_imm),
        R8(0x060, add_reg), R8(0x068, sub_reg), R8(0x070, add_imm3), R8(0x078, sub_imm3),
        R32(0x080, mov_imm), R32(0x0a0, cmp_imm), R32(0x0c0, add_imm8), R32(0x0e0, sub_imm8),
        R1(0x100, ands), R1(0x101, eors), R1(0x102, lsls), R1(0x103, lsrs), R1(0x104, asrs), R1(0x105, adcs),
        R1(0x106, sbcs), R1(0x107, rors), R1(0x108, tst), R1(0x109, rsbs), R1(0x10a, cmp), R1(0x10b, cmn),
        R1(0x10c, orrs), R1(0x10d, muls), R1(0x10e, bics), R1(0x10f, mvns),
        R4(0x110, add_high), R4(0x114, cmp_high), R4(0x118, mov_high), R4(0x11c, bx),
        R32(0x120, ldr_literal),
        R8(0x140, str_reg), R8(0x148, strh_reg), R8(0x150, strb_reg), R8(0x158, ldrsb_reg),
        R8(0x160, ldr_reg), R8(0x168, ldrh_reg), R8(0x170, ldrb_reg), R8(0x178, ldrsh_reg),
        R32(0x180, str_imm), R32(0x1a0, ldr_imm), R32(0x1c0, strb_imm), R32(0x1e0, ldrb_imm),
        R32(0x200, strh_imm), R32(0x220, ldrh_imm), R32(0x240, str_sp), R32(0x260, ldr_sp),
        R32(0x280, adr), R32(0x2a0, add_sp_imm),
        R1(0x2c0, inc_sp), R1(0x2c1, inc_sp), R1(0x2c2, dec_sp), R1(0x2c3, dec_sp),
        R1(0x2c8, sxth), R1(0x2c9, sxtb), R1(0x2ca, uxth), R1(0x2cb, uxtb),
        R8(0x2d0, push), R1(0x2d9, cps),
        R1(0x2e8, rev), R1(0x2e9, rev16), R1(0x2eb, revsh),
        R8(0x2f0, pop), R1(0x2fc, hint),
        R32(0x300, stm), R32(0x320, ldm),
        R4(0x340, beq), R4(0x344, bne), R4(0x348, bcs), R4(0x34c, bcc), R4(0x350, bmi), R4(0x354, bpl), R4(0x358, bvs),
        R4(0x35c, bvc), R4(0x360, bhi), R4(0x364, bls), R4(0x368, bge), R4(0x36c, blt), R4(0x370, bgt), R4(0x374, ble),
        R32(0x380, branch), R32(0x3c0, wide),
    };

#define PC ((uint32_t)((uintptr_t)ip + bias))
#define RD (op & 7)
#define RM ((op >> 3) & 7)
#define RO ((op >> 6) & 7)
#define R8_ ((op >> 8) & 7)
#define IMM5 ((op >> 6) & 31)
#define DISPATCH do { \
        uint16_t half; \
        if (UNLIKELY(cyc >= horizon)) goto done; \
        if (UNLIKELY((size_t)(ip - begin) >= length)) goto relocate; \
        memcpy(&half, ip, 2); \
        op = half; \
        goto *table[op >> 6]; \
    } while (0)
#define NEXT(cycles) do { cyc += (cycles); ip += 2; DISPATCH; } while (0)
#define JUMP(target, cycles) do { cyc += (cycles); pc = (target); goto jump; } while (0)
#define NZ(value) (nr = zr = (value))
#define ADD_FLAGS(dst, left, right, carry) do { \
        uint32_t l_ = (left), r_ = (right); \
        uint64_t s_ = (uint64_t)l_ + r_ + (carry); \
        uint32_t d_ = (uint32_t)s_; \
        c = (uint32_t)(s_ >> 32); \
        vr = ~(l_ ^ r_) & (l_ ^ d_); \
        NZ(d_); \
        dst = d_; \
    } while (0)
#define SUB_FLAGS(dst, left, right) do { \
        uint32_t l_ = (left), r_ = (right), d_ = l_ - r_; \
        c = l_ >= r_; \
        vr = (l_ ^ r_) & (l_ ^ d_); \
        NZ(d_); \
        dst = d_; \
    } while (0)
#define IF_BRANCH(condition) do { \
        if (condition) { cyc += 2; ip += 4 + 2 * (int32_t)(int8_t)op; } \
        else { cyc += 1; ip += 2; } \
        DISPATCH; \
    } while (0)
/* Loads and stores: SRAM, then flash, then everything else through a shared slow path. Kinds: 4, 2, 1 bytes; negative:
 * sign extended. */
#define LOAD(address, reg, size, kind, ctype) do { \
        ctype v_; \
        a = (address); \
        x = a - SRAM_BASE; \
        if (LIKELY(x < SRAM_SIZE && !(a & ((size) - 1)))) memcpy(&v_, sram + x, size); \
        else if ((x = a - FLASH_BASE) < m->xip_span && !(a & ((size) - 1))) memcpy(&v_, flash + (x & (FLASH_WINDOW - 1)), size); \
        else { slow_reg = (reg); slow_kind = (kind); goto slow_load; } \
        r[reg] = (uint32_t)(int32_t)v_; \
        NEXT(2); \
    } while (0)
#define STORE(address, reg, size, ctype) do { \
        a = (address); \
        x = a - SRAM_BASE; \
        effects++; \
        if (LIKELY(x < SRAM_SIZE && !(a & ((size) - 1)))) { ctype v_ = (ctype)r[reg]; memcpy(sram + x, &v_, size); NEXT(2); } \
        slow_reg = (reg); \
        slow_kind = (size); \
        goto slow_store; \
    } while (0)

    pc = r[15] & ~1u;
    goto jump;

lsl_imm: { uint32_t i = IMM5, in = r[RM], res = in << i; r[RD] = res; NZ(res); if (i) c = (in >> (32 - i)) & 1; NEXT(1); }
lsr_imm: { uint32_t i = IMM5, in = r[RM], res = i ? in >> i : 0; r[RD] = res; NZ(res); c = (in >> ((i - 1) & 31)) & 1; NEXT(1); }
asr_imm: {
    uint32_t i = IMM5, in = r[RM], res = (uint32_t)((int32_t)in >> (i ? i : 31));
    r[RD] = res; NZ(res); c = (in >> ((i - 1) & 31)) & 1; NEXT(1);
}
add_reg: ADD_FLAGS(r[RD], r[RM], r[RO], 0); NEXT(1);
sub_reg: SUB_FLAGS(r[RD], r[RM], r[RO]); NEXT(1);
add_imm3: ADD_FLAGS(r[RD], r[RM], RO, 0); NEXT(1);
sub_imm3: SUB_FLAGS(r[RD], r[RM], RO); NEXT(1);
mov_imm: r[R8_] = op & 0xff; NZ(op & 0xff); NEXT(1);
cmp_imm: SUB_FLAGS(t, r[R8_], op & 0xff); NEXT(1);
add_imm8: ADD_FLAGS(r[R8_], r[R8_], op & 0xff, 0); NEXT(1);
sub_imm8: SUB_FLAGS(r[R8_], r[R8_], op & 0xff); NEXT(1);
ands: r[RD] &= r[RM]; NZ(r[RD]); NEXT(1);
eors: r[RD] ^= r[RM]; NZ(r[RD]); NEXT(1);
orrs: r[RD] |= r[RM]; NZ(r[RD]); NEXT(1);
bics: r[RD] &= ~r[RM]; NZ(r[RD]); NEXT(1);
mvns: r[RD] = ~r[RM]; NZ(r[RD]); NEXT(1);
muls: r[RD] *= r[RM]; NZ(r[RD]); NEXT(1);
tst: NZ(r[RD] & r[RM]); NEXT(1);
cmp: SUB_FLAGS(t, r[RD], r[RM]); NEXT(1);
cmn: ADD_FLAGS(t, r[RD], r[RM], 0); NEXT(1);
rsbs: SUB_FLAGS(r[RD], 0, r[RM]); NEXT(1);
adcs: { uint32_t carry = c; ADD_FLAGS(r[RD], r[RD], r[RM], carry); NEXT(1); }
sbcs: { uint32_t carry = c; ADD_FLAGS(r[RD], r[RD], ~r[RM], carry); NEXT(1); }
lsls: {
    uint32_t in = r[RD], by = r[RM] & 0xff, res = by < 32 ? in << by : 0;
    if (by) c = by <= 32 ? (in >> (32 - by)) & 1 : 0;
    r[RD] = res; NZ(res); NEXT(1);
}
lsrs: {
    uint32_t in = r[RD], by = r[RM] & 0xff, res = by < 32 ? in >> by : 0;
    if (by) c = by <= 32 ? (in >> (by - 1)) & 1 : 0;
    r[RD] = res; NZ(res); NEXT(1);
}
asrs: {
    uint32_t in = r[RD], by = r[RM] & 0xff, res = (uint32_t)((int32_t)in >> (by < 32 ? by : 31));
    if (by) c = by <= 32 ? (in >> (by - 1)) & 1 : in >> 31;
    r[RD] = res; NZ(res); NEXT(1);
}
rors: {
    uint32_t in = r[RD], by = r[RM] & 0xff, turn = by & 31, res = turn ? (in >> turn) | (in << (32 - turn)) : in;
    if (by) c = res >> 31;
    r[RD] = res; NZ(res); NEXT(1);
}
add_high: {
    uint32_t rm = (op >> 3) & 15, rdn = ((op & 0x80) >> 4) | (op & 7);
    uint32_t res = (rdn == 15 ? PC + 4 : r[rdn]) + (rm == 15 ? PC + 4 : r[rm]);
    if (rdn == 15) JUMP(res & ~1u, 2);
    r[rdn] = rdn == 13 ? res & ~3u : res;
    NEXT(1);
}
cmp_high: {
    uint32_t rm = (op >> 3) & 15, rn = ((op >> 4) & 8) | (op & 7);
    if (rm == 15 || rn == 15) goto slow;
    SUB_FLAGS(t, r[rn], r[rm]);
    NEXT(1);
}
mov_high: {
    uint32_t rm = (op >> 3) & 15, rd = ((op >> 4) & 8) | (op & 7), value = rm == 15 ? PC + 4 : r[rm];
    if (rd == 15) JUMP(value & ~1u, 2);
    r[rd] = rd == 13 ? value & ~3u : value;
    NEXT(1);
}
bx: {
    uint32_t rm = (op >> 3) & 15;
    if (rm == 15 || (op & 7)) goto slow;
    t = r[rm];
    if (op & 0x80) r[14] = (PC + 2) | 1;
    else if ((t >> 28) == 15) goto slow; /* exception return */
    JUMP(t & ~1u, 2);
}
ldr_literal: LOAD(((PC + 4) & ~3u) + ((op & 0xff) << 2), R8_, 4, 4, uint32_t);
ldr_reg: LOAD(r[RM] + r[RO], RD, 4, 4, uint32_t);
ldrh_reg: LOAD(r[RM] + r[RO], RD, 2, 2, uint16_t);
ldrb_reg: LOAD(r[RM] + r[RO], RD, 1, 1, uint8_t);
ldrsh_reg: LOAD(r[RM] + r[RO], RD, 2, -2, int16_t);
ldrsb_reg: LOAD(r[RM] + r[RO], RD, 1, -1, int8_t);
ldr_imm: LOAD(r[RM] + (IMM5 << 2), RD, 4, 4, uint32_t);
ldrh_imm: LOAD(r[RM] + (IMM5 << 1), RD, 2, 2, uint16_t);
ldrb_imm: LOAD(r[RM] + IMM5, RD, 1, 1, uint8_t);
ldr_sp: LOAD(r[13] + ((op & 0xff) << 2), R8_, 4, 4, uint32_t);
str_reg: STORE(r[RM] + r[RO], RD, 4, uint32_t);
strh_reg: STORE(r[RM] + r[RO], RD, 2, uint16_t);
strb_reg: STORE(r[RM] + r[RO], RD, 1, uint8_t);
str_imm: STORE(r[RM] + (IMM5 << 2), RD, 4, uint32_t);
strh_imm: STORE(r[RM] + (IMM5 << 1), RD, 2, uint16_t);
strb_imm: STORE(r[RM] + IMM5, RD, 1, uint8_t);
str_sp: STORE(r[13] + ((op & 0xff) << 2), R8_, 4, uint32_t);
adr: r[R8_] = (PC & ~3u) + 4 + ((op & 0xff) << 2); NEXT(1);
add_sp_imm: r[R8_] = r[13] + ((op & 0xff) << 2); NEXT(1);
inc_sp: r[13] = (r[13] + ((op & 0x7f) << 2)) & ~3u; NEXT(1);
dec_sp: r[13] = (r[13] - ((op & 0x7f) << 2)) & ~3u; NEXT(1);
sxth: r[RD] = (uint32_t)(int32_t)(int16_t)r[RM]; NEXT(1);
sxtb: r[RD] = (uint32_t)(int32_t)(int8_t)r[RM]; NEXT(1);
uxth: r[RD] = r[RM] & 0xffff; NEXT(1);
uxtb: r[RD] = r[RM] & 0xff; NEXT(1);
rev: r[RD] = __builtin_bswap32(r[RM]); NEXT(1);
rev16: t = r[RM]; r[RD] = ((t & 0x00ff00ffu) << 8) | ((t >> 8) & 0x00ff00ffu); NEXT(1);
revsh: r[RD] = (uint32_t)(int32_t)(int16_t)__builtin_bswap16((uint16_t)r[RM]); NEXT(1);
push: {
    uint32_t list = op & 0xff, count = (uint32_t)__builtin_popcount(op & 0x1ff);
    a = r[13] - 4 * count;
    x = a - SRAM_BASE;
    if ((a & 3) || x >= SRAM_SIZE || x + 4 * count > SRAM_SIZE) goto slow;
    uint8_t *p = sram + x;
    effects++;
    cyc += 1;
    while (list) { memcpy(p, &r[__builtin_ctz(list)], 4); p += 4; cyc += 1; list &= list - 1; }
    if (op & 0x100) memcpy(p, &r[14], 4);
    r[13] = a;
    NEXT(0);
}
pop: {
    uint32_t list = op & 0xff, count = (uint32_t)__builtin_popcount(op & 0x1ff);
    a = r[13];
    x = a - SRAM_BASE;
    if ((a & 3) || x >= SRAM_SIZE || x + 4 * count > SRAM_SIZE) goto slow;
    const uint8_t *p = sram + x;
    t = 0;
    if (op & 0x100) {
        memcpy(&t, p + 4 * (count - 1), 4);
        if ((t >> 28) == 15) goto slow; /* exception return */
        cyc += 2;
    }
    cyc += 1;
    while (list) { memcpy(&r[__builtin_ctz(list)], p, 4); p += 4; cyc += 1; list &= list - 1; }
    r[13] = a + 4 * count;
    if (op & 0x100) JUMP(t & ~1u, 0);
    NEXT(0);
}
stm: {
    uint32_t list = op & 0xff, rn = R8_, count = (uint32_t)__builtin_popcount(list);
    a = r[rn];
    x = a - SRAM_BASE;
    if ((a & 3) || x >= SRAM_SIZE || x + 4 * count > SRAM_SIZE || ((list >> rn) & 1)) goto slow;
    uint8_t *p = sram + x;
    effects++;
    while (list) { memcpy(p, &r[__builtin_ctz(list)], 4); p += 4; list &= list - 1; }
    r[rn] = a + 4 * count;
    NEXT(1 + count);
}
ldm: {
    uint32_t list = op & 0xff, rn = R8_, count = (uint32_t)__builtin_popcount(list);
    const uint8_t *p;
    a = r[rn];
    if (a & 3) goto slow;
    if ((x = a - SRAM_BASE) < SRAM_SIZE && x + 4 * count <= SRAM_SIZE) p = sram + x;
    else if ((x = a - FLASH_BASE) < m->xip_span && (x & (FLASH_WINDOW - 1)) + 4 * count <= FLASH_WINDOW)
        p = flash + (x & (FLASH_WINDOW - 1));
    else {
        if (x < XIP_SPAN) { r[15] = PC; (void)cpu_load_slow(m, a, 4, &t); }
        goto slow;
    }
    if (!((list >> rn) & 1)) r[rn] = a + 4 * count;
    while (list) { memcpy(&r[__builtin_ctz(list)], p, 4); p += 4; list &= list - 1; }
    NEXT(1 + count);
}
beq: IF_BRANCH(zr == 0);
bne: IF_BRANCH(zr != 0);
bcs: IF_BRANCH(c);
bcc: IF_BRANCH(!c);
bmi: IF_BRANCH(nr >> 31);
bpl: IF_BRANCH(!(nr >> 31));
bvs: IF_BRANCH(vr >> 31);
bvc: IF_BRANCH(!(vr >> 31));
bhi: IF_BRANCH(c && zr != 0);
bls: IF_BRANCH(!c || zr == 0);
bge: IF_BRANCH(!((nr ^ vr) >> 31));
blt: IF_BRANCH((nr ^ vr) >> 31);
bgt: IF_BRANCH(zr != 0 && !((nr ^ vr) >> 31));
ble: IF_BRANCH(zr == 0 || (nr ^ vr) >> 31);
branch: cyc += 2; ip += 4 + ((int32_t)(op << 21) >> 20); DISPATCH;
cps:
    if (op == 0xb672) m->primask = 1;
    else if (op == 0xb662) m->primask = 0;
    else goto slow;
    effects++;
    cyc += 1;
    ip += 2;
    if (!m->primask && m->irq_possible) { m->want_check = 1; goto done; }
    DISPATCH;
hint:
    if (op != 0xbf00) goto slow;
    NEXT(1);
wide: {
    uint16_t half;
    memcpy(&half, ip + 2, 2);
    uint32_t op2 = half;
    if ((op2 & 0xd000) == 0xd000) { /* BL */
        uint32_t s = (op >> 10) & 1, i1 = 1 - (s ^ ((op2 >> 13) & 1)), i2 = 1 - (s ^ ((op2 >> 11) & 1));
        uint32_t offset = ((s ? 0xffu : 0u) << 24) | (i1 << 23) | (i2 << 22) | ((op & 0x3ff) << 12) | ((op2 & 0x7ff) << 1);
        r[14] = (PC + 4) | 1;
        JUMP(PC + 4 + offset, 3);
    }
    if (op == 0xf3bf && ((op2 & 0xffd0) == 0x8f50 || (op2 & 0xfff0) == 0x8f60 || (op2 & 0xfff0) == 0x8f40)) {
        cyc += 3; ip += 4; DISPATCH; /* DMB, DSB, ISB */
    }
    if (op == 0xf3ef && (op2 & 0xf0ff) == 0x8010) { /* MRS Rd, PRIMASK */
        if (((op2 >> 8) & 15) >= 13) goto slow;
        r[(op2 >> 8) & 15] = (uint32_t)m->primask;
        cyc += 3; ip += 4; DISPATCH;
    }
    if ((op & 0xfff0) == 0xf380 && op2 == 0x8810) { /* MSR PRIMASK, Rn */
        m->primask = (int)(r[op & 15] & 1);
        effects++;
        cyc += 3;
        ip += 4;
        if (!m->primask && m->irq_possible) { m->want_check = 1; goto done; }
        DISPATCH;
    }
    goto slow;
}

slow_load:
    m->cycle = cyc;
    m->now = cyc * FP_PER_CYCLE;
    r[15] = PC;
    k = cpu_load_slow(m, a, slow_kind < 0 ? -slow_kind : slow_kind, &t);
    if (!k) goto slow;
    if (slow_kind == -2) t = (uint32_t)(int32_t)(int16_t)t;
    else if (slow_kind == -1) t = (uint32_t)(int32_t)(int8_t)t;
    r[slow_reg] = t;
    cyc += k;
    if (UNLIKELY(m->attention)) { ip += 2; goto done; }
    if (m->poll_read) goto polled;
    effects++;
    ip += 2;
    DISPATCH;

polled: {
    /* The program read something that only an event can change. If it was here before with the same registers and flags
     * and had no effect in between, it goes round and round until the horizon: skip whole rounds. */
    uint32_t flags = (nr >> 31) << 3 | (uint32_t)(zr == 0) << 2 | c << 1 | vr >> 31;
    pc = PC;
    if (poll_pc == pc && poll_effects == effects && poll_flags == flags && !memcmp(poll_r, r, sizeof poll_r)) {
        int64_t round = cyc - poll_cyc;
        if (round > 0 && horizon > cyc) cyc += (horizon - 1 - cyc) / round * round;
        poll_pc = 1;
    } else {
        poll_pc = pc;
        poll_effects = effects;
        poll_flags = flags;
        poll_cyc = cyc;
        memcpy(poll_r, r, sizeof poll_r);
    }
    ip += 2;
    DISPATCH;
}

slow_store:
    m->cycle = cyc;
    m->now = cyc * FP_PER_CYCLE;
    r[15] = PC;
    k = cpu_store_slow(m, a, slow_kind, r[slow_reg]);
    if (!k) goto slow;
    cyc += k;
    ip += 2;
    if (UNLIKELY(m->attention)) goto done;
    DISPATCH;

relocate:
    pc = PC;
jump:
    x = pc - FLASH_BASE;
    if (x < XIP_SPAN) {
        if (UNLIKELY(!m->xip_span)) {
            m->now = cyc * FP_PER_CYCLE;
            r[15] = pc;
            if (!ssi_xip_ready(m)) {
                m->call.hazard(m->context, "an instruction fetch from flash", pc, -1);
                m->exit = EXIT_EVENT;
                goto leave;
            }
        }
        begin = flash;
        length = FLASH_WINDOW - 2;
        x &= FLASH_WINDOW - 1;
    } else if ((x = pc - SRAM_BASE) < SRAM_SIZE) {
        begin = sram;
        length = SRAM_SIZE - 2;
    } else if ((x = pc) < ROM_SIZE) {
        begin = m->rom;
        length = ROM_SIZE - 2;
    } else {
        r[15] = pc;
        m->exit = EXIT_FETCH;
        goto leave;
    }
    if (UNLIKELY(x >= length)) {
        r[15] = pc;
        m->exit = EXIT_SLOW;
        goto leave;
    }
    ip = begin + x;
    bias = (uintptr_t)pc - (uintptr_t)ip;
    DISPATCH;

slow:
    m->exit = EXIT_SLOW;
done:
    r[15] = PC;
leave:
    m->cycle = cyc;
    m->n = (int)(nr >> 31);
    m->z = zr == 0;
    m->c = (int)c;
    m->v = (int)(vr >> 31);
}
#undef PC

/* For instructions that rp2040py's core executes: whether the next one fetches or loads from the XIP window while that is
 * blocked. Reports the hazard and returns 1. */
static int cpu_check_flash(Machine *m) {
    const uint32_t *r = m->r;
    uint32_t pc = r[15] & ~1u, x, op, address;
    if (ssi_xip_ready(m)) return 0;
    if (pc - FLASH_BASE < XIP_SPAN) {
        m->call.hazard(m->context, "an instruction fetch from flash", pc, -1);
        return 1;
    }
    uint16_t half;
    if ((x = pc - SRAM_BASE) < SRAM_SIZE - 1) memcpy(&half, m->sram + x, 2);
    else if (pc < ROM_SIZE - 1) memcpy(&half, m->rom + pc, 2);
    else return 0;
    op = half;
    uint32_t base = r[(op >> 3) & 7];
    switch (op >> 11) {
    case 0x09: address = ((pc + 4) & ~3u) + ((op & 0xff) << 2); break;
    case 0x0a: /* stores, and LDRSB */
        if ((op >> 9) != 0x2b) return 0;
        address = base + r[(op >> 6) & 7];
        break;
    case 0x0b: address = base + r[(op >> 6) & 7]; break;
    case 0x0d: address = base + (((op >> 6) & 31) << 2); break;
    case 0x0f: address = base + ((op >> 6) & 31); break;
    case 0x11: address = base + (((op >> 6) & 31) << 1); break;
    case 0x13: address = r[13] + ((op & 0xff) << 2); break;
    case 0x19: address = r[(op >> 8) & 7]; break;
    default: return 0;
    }
    if (address - FLASH_BASE >= XIP_SPAN) return 0;
    m->call.hazard(m->context, "a load from flash", address, -1);
    return 1;
}
