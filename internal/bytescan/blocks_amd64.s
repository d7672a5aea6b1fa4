#include "textflag.h"

// The functions look at a block of 64 bytes at a time with SSE2, which each amd64 processor has.
//
// For escapes a block is classified once: bit i of the mask says that byte i does not stand for
// itself in a JSON string. The escapes of a block are then taken from the mask one after the
// other, so that none waits for a load, and a wrong guess of a branch is rare in text that is
// full of them. The next block begins after the last escape.

DATA flip<>+0(SB)/8, $0x0202020202020202
DATA flip<>+8(SB)/8, $0x0202020202020202
DATA space<>+0(SB)/8, $0x2020202020202020
DATA space<>+8(SB)/8, $0x2020202020202020
DATA slash<>+0(SB)/8, $0x5c5c5c5c5c5c5c5c
DATA slash<>+8(SB)/8, $0x5c5c5c5c5c5c5c5c
DATA one<>+0(SB)/8, $0x0101010101010101
DATA one<>+8(SB)/8, $0x0101010101010101
GLOBL flip<>(SB), RODATA|NOPTR, $16
GLOBL space<>(SB), RODATA|NOPTR, $16
GLOBL slash<>(SB), RODATA|NOPTR, $16
GLOBL one<>(SB), RODATA|NOPTR, $16

// CONSTANTS sets X13, X14 and X15 for CLASSIFY, and R11 to the bit behind the bytes that are
// copied after an escape.
#define CONSTANTS \
	MOVOU flip<>(SB), X13; \
	MOVOU space<>(SB), X14; \
	MOVOU slash<>(SB), X15; \
	MOVQ  $1<<32, R11

// CLASSIFY sets mask for the 16 bytes in text, and overwrites text, X8 and X9. As in Specials, a
// quote with bit 1 flipped is a space, and control characters stay below it.
#define CLASSIFY(text, mask) \
	MOVOA    text, X8; \
	PXOR     X13, X8; \
	MOVOA    X8, X9; \
	PMINUB   X14, X9; \
	PCMPEQB  X8, X9; \
	PCMPEQB  X15, text; \
	POR      X9, text; \
	PMOVMSKB text, mask

// LOAD loads a block.
#define LOAD \
	MOVOU (SI), X0; \
	MOVOU 16(SI), X1; \
	MOVOU 32(SI), X2; \
	MOVOU 48(SI), X3

// STORE stores it.
#define STORE \
	MOVOU X0, (DI); \
	MOVOU X1, 16(DI); \
	MOVOU X2, 32(DI); \
	MOVOU X3, 48(DI)

// MASK sets AX to its mask.
#define MASK \
	CLASSIFY(X0, AX); \
	CLASSIFY(X1, BX); \
	CLASSIFY(X2, CX); \
	CLASSIFY(X3, DX); \
	SHLQ $16, BX; \
	SHLQ $16, DX; \
	ORQ  BX, AX; \
	ORQ  DX, CX; \
	SHLQ $32, CX; \
	ORQ  CX, AX

// COPY copies the 32 bytes after an escape.
#define COPY \
	MOVOU (SI), X0; \
	MOVOU 16(SI), X1; \
	MOVOU X0, (DI); \
	MOVOU X1, 16(DI)

// func unescapeBlocks(out, data []byte, meanings *[256]byte) (wrote, read int)
// SI and DI are the places in data and out, R8 and R9 the last ones where a block fits.
TEXT ·unescapeBlocks(SB), NOSPLIT, $0-72
	MOVQ out_base+0(FP), DI
	MOVQ out_len+8(FP), R9
	MOVQ data_base+24(FP), SI
	MOVQ data_len+32(FP), R8
	MOVQ meanings+48(FP), R10
	LEAQ -97(SI)(R8*1), R8
	LEAQ -96(DI)(R9*1), R9
	CONSTANTS

block:
	CMPQ  SI, R8
	JA    done
	CMPQ  DI, R9
	JA    done
	LOAD
	STORE
	MASK
	TESTQ AX, AX
	JZ    plain
	TZCNTQ AX, CX

escape:
	ADDQ    CX, SI
	ADDQ    CX, DI
	CMPB    (SI), $'\\'
	JNE     done
	MOVBLZX 1(SI), BX
	MOVBLZX (R10)(BX*1), BX
	TESTL   BX, BX
	JZ      done
	MOVB    BX, (DI)
	ADDQ    $2, SI
	INCQ    DI
	COPY
	SHRQ    CX, AX
	SHRQ    $2, AX
	MOVQ    AX, DX
	ORQ     R11, DX
	TZCNTQ  DX, CX
	CMPL    CX, $32
	JNE     escape
	JMP     block

plain:
	ADDQ $64, SI
	ADDQ $64, DI
	JMP  block

done:
	SUBQ out_base+0(FP), DI
	SUBQ data_base+24(FP), SI
	MOVQ DI, wrote+56(FP)
	MOVQ SI, read+64(FP)
	RET

// func escapeBlocks(out []byte, s string, letters *[256]byte) (wrote, read int)
// What a block of 64 bytes might not fit in goes by blocks of 16. R12 and R13 are the last places
// where such a block fits.
TEXT ·escapeBlocks(SB), NOSPLIT, $0-64
	MOVQ out_base+0(FP), DI
	MOVQ out_len+8(FP), R9
	MOVQ s_base+24(FP), SI
	MOVQ s_len+32(FP), R8
	MOVQ letters+40(FP), R10
	LEAQ -16(SI)(R8*1), R12
	LEAQ -48(DI)(R9*1), R13
	LEAQ -96(SI)(R8*1), R8
	LEAQ -160(DI)(R9*1), R9
	CONSTANTS

block:
	CMPQ  SI, R8
	JA    short
	CMPQ  DI, R9
	JA    short
	LOAD
	STORE
	MASK
	TESTQ AX, AX
	JZ    plain
	TZCNTQ AX, CX

special:
	ADDQ    CX, SI
	ADDQ    CX, DI
	MOVBLZX (SI), BX
	MOVBLZX (R10)(BX*1), BX
	TESTL   BX, BX
	JZ      done
	MOVB    $'\\', (DI)
	MOVB    BX, 1(DI)
	INCQ    SI
	ADDQ    $2, DI
	COPY
	SHRQ    CX, AX
	SHRQ    $1, AX
	MOVQ    AX, DX
	ORQ     R11, DX
	TZCNTQ  DX, CX
	CMPL    CX, $32
	JNE     special
	JMP     block

plain:
	ADDQ $64, SI
	ADDQ $64, DI
	JMP  block

// The bit behind the block in AX ends it.
short:
	CMPQ  SI, R12
	JA    done
	CMPQ  DI, R13
	JA    done
	MOVOU (SI), X0
	MOVOU X0, (DI)
	CLASSIFY(X0, AX)
	ORL   $1<<16, AX

next:
	TZCNTL  AX, CX
	ADDQ    CX, SI
	ADDQ    CX, DI
	SHRL    CX, AX
	CMPL    AX, $1
	JE      short
	MOVBLZX (SI), BX
	MOVBLZX (R10)(BX*1), BX
	TESTL   BX, BX
	JZ      done
	MOVB    $'\\', (DI)
	MOVB    BX, 1(DI)
	INCQ    SI
	ADDQ    $2, DI
	CMPQ    SI, R12
	JA      done
	MOVOU   (SI), X0
	MOVOU   X0, (DI)
	SHRL    $1, AX
	JMP     next

done:
	SUBQ out_base+0(FP), DI
	SUBQ s_base+24(FP), SI
	MOVQ DI, wrote+48(FP)
	MOVQ SI, read+56(FP)
	RET

// func escapedBlocks(s string, meanings *[256]byte) (read int)
TEXT ·escapedBlocks(SB), NOSPLIT, $0-32
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), R8
	MOVQ meanings+16(FP), R10
	LEAQ -65(SI)(R8*1), R8
	CONSTANTS

block:
	CMPQ  SI, R8
	JA    done
	LOAD
	MASK
	TESTQ AX, AX
	JZ    plain

escape:
	TZCNTQ  AX, CX
	ADDQ    CX, SI
	CMPB    (SI), $'\\'
	JNE     done
	MOVBLZX 1(SI), BX
	CMPB    (R10)(BX*1), $0
	JE      done
	ADDQ    $2, SI
	SHRQ    CX, AX
	SHRQ    $2, AX
	JNZ     escape
	JMP     block

plain:
	ADDQ $64, SI
	JMP  block

done:
	SUBQ s_base+0(FP), SI
	MOVQ SI, read+24(FP)
	RET

// func asciiBlocks(s string) (read int)
TEXT ·asciiBlocks(SB), NOSPLIT, $0-24
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), R8
	LEAQ -64(SI)(R8*1), R8
	MOVOU one<>(SB), X15

block:
	CMPQ     SI, R8
	JA       done
	LOAD
	PMAXUB   X1, X0
	PMAXUB   X3, X2
	PMAXUB   X2, X0
	PADDUSB  X15, X0
	PMOVMSKB X0, AX
	TESTL    AX, AX
	JNZ      done
	ADDQ     $64, SI
	JMP      block

done:
	SUBQ s_base+0(FP), SI
	MOVQ SI, read+16(FP)
	RET

// EITHER marks the bytes of X0 that are in c or d, in to.
#define EITHER(c, d, to, other) \
	MOVOA   c, to; \
	MOVOA   d, other; \
	PCMPEQB X0, to; \
	PCMPEQB X0, other; \
	POR     other, to

// func findBlocks(s string, bytes *[8][16]byte, many bool) int
// Each block has 16 bytes. The last one may overlap the one before, in which nothing was found.
TEXT ·findBlocks(SB), NOSPLIT, $0-40
	MOVQ  s_base+0(FP), SI
	MOVQ  s_len+8(FP), R8
	MOVQ  bytes+16(FP), R10
	LEAQ  -16(SI)(R8*1), R8
	MOVOU (R10), X8
	MOVOU 16(R10), X9
	MOVOU 32(R10), X10
	MOVOU 48(R10), X11
	MOVBLZX many+24(FP), DX
	TESTL DX, DX
	JZ    block
	MOVOU 64(R10), X12
	MOVOU 80(R10), X13
	MOVOU 96(R10), X14
	MOVOU 112(R10), X15

block:
	MOVOU    (SI), X0
	EITHER(X8, X9, X1, X2)
	EITHER(X10, X11, X3, X4)
	POR      X3, X1
	TESTL    DX, DX
	JZ       mask
	EITHER(X12, X13, X5, X6)
	EITHER(X14, X15, X7, X2)
	POR      X7, X5
	POR      X5, X1

mask:
	PMOVMSKB X1, AX
	TESTL    AX, AX
	JNZ      found
	ADDQ     $16, SI
	CMPQ     SI, R8
	JBE      block
	LEAQ     16(R8), CX
	CMPQ     SI, CX
	JE       end
	MOVQ     R8, SI
	JMP      block

found:
	TZCNTL AX, AX
	ADDQ   AX, SI

end:
	SUBQ s_base+0(FP), SI
	MOVQ SI, ret+32(FP)
	RET
